"""The names of people: which are refused because they mislead."""

import pytest

from tests.web.servers import Person, TestClient, code_of

TAKEN = "name: must not be a computer player's"
UNSEEN = "name: must contain a visible character"
ONESELF = "name: must not be a name that pages use for you"
MIXED = "name: must not mix Latin, Greek and Cyrillic letters in a word"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Computer (perfect)", TAKEN),
        ("computer", TAKEN),
        ("C o m p u t e r: level 4", TAKEN),
        ("Comp\u200duter, perfect", TAKEN),
        ("Co\u034fmputer", TAKEN),
        ("\uff23\uff4f\uff4d\uff50\uff55\uff54\uff45\uff52\uff0c perfect", TAKEN),  # full width
        ("Co\u0308mputer", TAKEN),
        ("\u2800Computer", TAKEN),
        ("\u0421omputer, level 4", TAKEN),  # its first letter is Cyrillic
        ("\uff23\u043emputer", TAKEN),  # a wide letter, and a Cyrillic one
        ("\u0410nn", MIXED),
        ("\uff21\u043fn", MIXED),
        ("The computer", TAKEN),
        ("the C0mputer", TAKEN),
        ("C0mputer (level 5)", TAKEN),
        ("Cornputer", TAKEN),
        ("C\u1d0f\u1d0d\u1d18\u1d1c\u1d1b\u1d07\u0280", TAKEN),  # small capitals
        ("C\u0585mp\u057dter", TAKEN),  # Armenian
        ("\u13df\u041e\u041c\u0420\u054d\u0422\u0415\u13a1", TAKEN),  # Cherokee, Cyrillic and Armenian
        ("\u0441\u043e\u043c\u0440\u03c5\u0442\u0435\u0433", TAKEN),  # Cyrillic, and a Greek letter
        ("C\u00f8mputer", TAKEN),
        (
            "\U0001f172\U0001f17e\U0001f17c\U0001f17f\U0001f184\U0001f183\U0001f174\U0001f181",
            TAKEN,
        ),  # in squares
        ("Y\u0585\u057d", ONESELF),
        ("\u028f\u1d0f\u1d1c", ONESELF),
        ("(y0u) Ann", ONESELF),
        ("You", ONESELF),
        ("y\u200cou", ONESELF),
        ("\U0001d418\U0001d560\U0001d566", ONESELF),  # mathematical letters
        ("Y o u !", ONESELF),
        ("Ann (you)", ONESELF),
        ("\u200d", UNSEEN),
        ("\u200c\u200d", UNSEEN),
        ("\u3164", UNSEEN),
        ("\uffa0\u115f", UNSEEN),
        ("\u2800 \u2800", UNSEEN),
        ("\ufe0f", UNSEEN),
        ("\u0301", UNSEEN),
        ("\U0001d159", UNSEEN),
        ("a\u202eb", "name: must be printable characters in one line"),
        ("a\u00a0b", "name: must be printable characters in one line"),
    ],
)
def test_a_name_that_misleads_is_refused(server: TestClient, name: str, text: str) -> None:
    ann, bob = Person(server), Person(server)
    answer = ann.post("/api/tables", {"game": "bit-flip", "name": name})
    assert (code_of(answer), answer.json()["text"]) == ((400, "bad"), text)
    answer = bob.join(ann.make(), name)
    assert (code_of(answer), answer.json()["text"]) == ((400, "bad"), text)


@pytest.mark.parametrize(
    "name",
    [
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",
        "\u0645\u06cc\u200c\u0646\u0627",
        "Ann",
        "Bot (level:3)",
        "Young",
        "Compute",
        "Corn",
        "The commuter",
        "\u0544\u0561\u0580\u056b\u0561",
        "\u13e3\u13b3\u13a9",
        "\u0388\u03bb\u03bb\u03b7",
        "\u041b\u0435\u043d\u0430 B",  # two scripts, a word each
        "\u5c71\u7530\u30a2\u30adA",
        "\u0928\u0940\u0930\u091c\u093e",
        "\u2764\ufe0f",
        "7",
        "?!",
    ],
)
def test_names_are_written_as_people_write_them(server: TestClient, name: str) -> None:
    assert Person(server).make(name=name)["table"]["names"][0] == name
