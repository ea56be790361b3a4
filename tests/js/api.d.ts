// What the server says and takes, from its OpenAPI description. `make golden` writes this file.

declare namespace Api {
  type Answer = {
    action: number;
    text: string;
    solves: boolean;
    words: string[];
  };
  type AnswerMessage = {
    type: "answer";
    id: string | number | null;
    ok: boolean;
    event?: Event | null;
    error?: string | null;
    text?: string | null;
  };
  type Anyone = {
    game: string;
    seat?: 0 | 1 | null;
    name?: string;
    clock?: NewClock | null;
    away_limit?: number | null;
    any?: boolean;
  };
  type Asked = AskedEvent | AskedPing | AskedEcho;
  type AskedEcho = {
    do: "echo";
    mark: number;
  };
  type AskedEvent = {
    number: number;
    kind: "move" | "resign" | "offer" | "accept" | "decline" | "claim" | "close";
    text?: string;
    do: "event";
    id?: string | number | null;
  };
  type AskedPing = {
    do: "ping";
  };
  type Brief = {
    id: string;
    game: string;
    title: string;
    names: (string | null)[];
    score: number[];
    status: "open" | "running" | "over" | "closed";
    plies: number;
    clock: Clock | null;
    join?: string | null;
  };
  type Cell = {
    label: string;
    pieces: string[];
    action: number | null;
    text: string | null;
    why: string | null;
    role?: "" | "goal" | "later-goal" | "closed";
    owner?: 0 | 1 | null;
  };
  type ChartPoint = {
    ply: number;
    kind: "loss" | "endless" | "tie" | "win" | "undecided";
    plies: number | null;
    mistake: boolean;
    height: number;
  };
  type Clock = {
    per: "move" | "game";
    seconds: number;
    increment: number;
  };
  type Control = {
    label: string;
    action: number;
    text: string;
    group: string;
    adds: number | null;
  };
  type DailyPuzzle = {
    position: Position;
    owners: (0 | 1 | null)[];
    name: string;
    spec: string;
    title: string;
    sides: string[];
    question: string;
    difficulty: "easy" | "medium" | "hard";
    moves: string[];
  };
  type Erring = {
    game: string;
    moves?: string[];
    ply?: number | null;
    player: string;
  };
  type ErringPosition = {
    moves: string[];
    side: 0 | 1;
    kind: "loss" | "endless" | "tie" | "win" | "undecided";
    chance: number;
    lost: number;
    likeliest: string;
  };
  type Event = {
    number: number;
    at: number;
    seat: 0 | 1 | null;
    kind: "sit" | "move" | "forfeit" | "resign" | "offer" | "accept" | "decline" | "time" | "claim" | "close" | "assisted";
    text: string;
    game: number;
    ms: number;
  };
  type EventMessage = {
    type: "event";
    event: Event;
    table: TableState;
    position: Position;
  };
  type Exercise = {
    game: string;
    title: string;
    sides: string[];
    position: string;
    key: string;
    played: string;
    attempts: ((string | boolean)[])[];
    question: string;
    moves: Answer[];
    led_to: string[];
    board: Position;
    owners: (0 | 1 | null)[];
  };
  type FieldButton = {
    label: string;
    ending: string;
  };
  type Game = {
    name: string;
    title: string;
    side_names: string[];
    summary: string;
    parameters: Parameter[];
    view: View;
    levels: number[];
    level: number;
    learned: string[];
    picture: Illustration;
    won: WonGame;
    presets: Preset[];
    puzzle: string;
    puzzle_solved: string;
  };
  type Happened = {
    event: Event;
  };
  type Health = {
    ok: boolean;
    tables: number;
  };
  type Illustration = {
    view: View;
    owners: (0 | 1 | null)[];
  };
  type Joined = {
    table: Table;
    token?: string | null;
  };
  type Joining = {
    code: string;
    name?: string;
  };
  type Journal = {
    games: PlayedGame[];
    exercises: Exercise[];
  };
  type Last = {
    side: 0 | 1;
    text: string;
    kind: "move" | "forfeit";
    events: string[];
    placed: Placed | null;
  };
  type Link = {
    a: number;
    b: number;
    matched: boolean;
  };
  type List = {
    open: Brief[];
    running: Brief[];
    finished: Brief[];
  };
  type Made = {
    table: Table;
    token?: string | null;
    join: string | null;
  };
  type Mark = {
    ply: number;
    text: string;
    mark: string;
    kept: boolean;
  };
  type Mistakes = {
    wrong: WrongMove[];
    positions: number;
    decisions: number;
    erring: number;
    worst: ErringPosition[];
  };
  type Move = {
    ply: number | null;
    side: 0 | 1;
    seat: 0 | 1;
    text: string;
    kind: "move" | "forfeit" | "resign" | "time" | "claim" | "assisted";
    events: string[];
    placed: Placed | null;
  };
  type NewClock = {
    per: "move" | "game";
    seconds: number;
    increment?: number;
  };
  type NewEvent = {
    number: number;
    kind: "move" | "resign" | "offer" | "accept" | "decline" | "claim" | "close";
    text?: string;
  };
  type NewTable = {
    game: string;
    seat?: 0 | 1 | null;
    name?: string;
    clock?: NewClock | null;
    away_limit?: number | null;
    opponent?: string | null;
    public?: boolean;
    moves?: string[];
  };
  type Own = {
    id: string;
    game: string;
    title: string;
    names: (string | null)[];
    score: number[];
    status: "open" | "running" | "over" | "closed";
    plies: number;
    clock: Clock | null;
    join?: string | null;
    seat: 0 | 1;
    turn: 0 | 1 | null;
  };
  type OwnGame = {
    id: string;
    game: string;
    title: string;
    names: (string | null)[];
    score: number[];
    status: "open" | "running" | "over" | "closed";
    plies: number;
    clock: Clock | null;
    join?: string | null;
    seat: 0 | 1;
    turn: 0 | 1 | null;
    number: number;
    view: View;
    owners: (0 | 1 | null)[];
    result: Result | null;
    at: number;
  };
  type OwnGames = {
    games: OwnGame[];
    next: string | null;
  };
  type OwnList = {
    tables: Own[];
  };
  type Parameter = {
    name: string;
    doc: string;
    default: string;
    choices: string[] | null;
    kind: "whole" | "choice" | "text";
    allowed: string;
  };
  type Placed = {
    cell: number;
    adds: boolean;
    words?: string;
  };
  type PlayOn = {
    ply: number;
    level?: string;
  };
  type Played = {
    game: string;
    title: string;
    side_names: string[];
    names: (string | null)[];
    moves: Move[];
    result: Result | null;
  };
  type PlayedGame = {
    day: string;
    game: string;
    opponent: string;
    side: 0 | 1;
    result: "won" | "lost" | "tied" | "unfinished";
    decisions: number;
    kept: number;
    guess: number;
    slips: number;
    assisted: boolean;
  };
  type PongMessage = {
    type: "pong";
    mark: number;
  };
  type Position = {
    game: number;
    ply: number;
    view: View;
    side: 0 | 1;
    side_name: string;
    seat: 0 | 1;
    legal: string[];
    last: Last | null;
    changed: number[];
    state: string;
    result: Result | null;
  };
  type PresentMessage = {
    present: boolean[];
    away: (number | null)[];
    watching: number;
    ran: number;
    type: "present";
  };
  type Preset = {
    spec: string;
    title: string;
    why: string;
  };
  type Problem = {
    error: string;
    text: string;
    table?: string | null;
  };
  type PuzzleAttempt = {
    position: Position;
    owners: (0 | 1 | null)[];
    right: boolean;
    solved: boolean;
    words: string[];
    line?: string[];
  };
  type PuzzleMoves = {
    moves: string[];
  };
  type ReadyMessage = {
    type: "ready";
    seat: 0 | 1 | null;
  };
  type Result = {
    winner_seat: 0 | 1 | null;
    winner_side: 0 | 1 | null;
    reason: string;
    why: string;
    finished: boolean;
    text: string;
  };
  type SeatCode = {
    code: string;
  };
  type Sent = TableMessage | EventMessage | PresentMessage | ReadyMessage | PongMessage | AnswerMessage;
  type Solo = {
    game: string;
    moves?: string[];
    ply?: number | null;
  };
  type StudiedMove = {
    action: number;
    text: string;
    kind: "loss" | "endless" | "tie" | "win" | "undecided";
    plies: number | null;
    best: boolean;
    words: string;
  };
  type Study = {
    position: Position;
    side_names: string[];
    played: Move[];
    value: Value;
    moves: StudiedMove[];
    why: string[];
    accuracy: (number | null)[];
    marks: Mark[] | null;
    chart: ChartPoint[];
    review: string[];
  };
  type Table = {
    present: boolean[];
    away: (number | null)[];
    watching: number;
    ran: number;
    status: "open" | "running" | "over" | "closed";
    names: (string | null)[];
    score: number[];
    games: number;
    next: number;
    offers: Record<string, 0 | 1>;
    closed: string | null;
    sides: (0 | 1)[];
    plies: number;
    repeated: number;
    left: number[] | null;
    waited: number;
    id: string;
    game: string;
    title: string;
    players: (string | null)[];
    seat: 0 | 1 | null;
    join?: string | null;
    public: boolean;
    clock: Clock | null;
    away_limit: number | null;
    side_names: string[];
    moves: Move[];
    position: Position;
  };
  type TableMessage = {
    type: "table";
    table: Table;
  };
  type TableState = {
    status: "open" | "running" | "over" | "closed";
    names: (string | null)[];
    score: number[];
    games: number;
    next: number;
    offers: Record<string, 0 | 1>;
    closed: string | null;
    sides: (0 | 1)[];
    plies: number;
    repeated: number;
    left: number[] | null;
    waited: number;
  };
  type TextField = {
    wants: string;
    buttons: FieldButton[];
  };
  type Token = {
    token: string;
  };
  type Transfer = {
    code: string;
    seconds: number;
  };
  type Value = {
    kind: "loss" | "endless" | "tie" | "win" | "undecided";
    plies: number | null;
    text: string;
  };
  type View = {
    rows: Cell[][];
    controls: Control[];
    captions: string[];
    sides: string[][];
    hollow: string[];
    text_field: TextField | null;
    links: Link[];
    aims: string[];
    note: string;
    on_board: string[];
  };
  type WonGame = {
    view: View;
    owners: (0 | 1 | null)[];
    words: string;
  };
  type WrongMove = {
    action: number;
    text: string;
    kind: "loss" | "endless" | "tie" | "win" | "undecided";
    chance: number;
  };
}
