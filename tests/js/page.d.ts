// The types of the pages that more than one file uses.

declare namespace Page {
  /** What an element may hold. Nothing is drawn for null, undefined and false. */
  type Child = Node | string | null | undefined | false | Child[];

  type Attributes = {
    onclick?: (event: MouseEvent) => unknown;
    onchange?: (event: Event) => unknown;
    onfocus?: (event: FocusEvent) => unknown;
    onsubmit?: (event: SubmitEvent) => unknown;
    [name: string]: string | number | boolean | null | undefined | ((event: never) => unknown);
  };

  /** The elements that a page looks up by their id and that are more than any HTMLElement. */
  type Elements = {
    choose: HTMLFormElement;
    code: HTMLInputElement;
    name: HTMLInputElement;
    watch: HTMLAnchorElement;
  };

  /** The value of a move, as it stands on the board. */
  type Mark = { long: string; best: boolean; kind: string };

  /** How a board is shown. */
  type Showing = {
    playable: boolean;
    /** By action. */
    marks?: Map<number, Mark> | null;
    /** The numbers of the cells that the last move changed. */
    changed: number[];
    /** The texts of all legal moves. */
    legal: string[];
    /** Whether moves can also be typed, in a game that has a field for it. */
    typing?: boolean;
    /** Whether the user cannot move here at all, so that no buttons are needed. */
    idle?: boolean;
    /** Whether somebody else is to move, whose buttons are not for the user. */
    resting?: boolean;
    /** The side to move, and the side that moved last. */
    mover?: number;
    lastSide?: number;
    /** The side that filled each cell, where the view does not say. */
    owners?: (0 | 1 | null)[];
    /** The names of side 0 and side 1. */
    names?: string[];
    /** Whether the game turned on the last move. */
    decided?: boolean;
    /** The move that has been chosen and is on its way. */
    pressed?: string | null;
    label: string;
  };

  /** A line of the move list. */
  type ListedMove = {
    ply: number;
    side: 0 | 1;
    name: string;
    text: string;
    /** The same for those who hear it. */
    words?: string;
    note: string;
    sign?: string;
    signWords?: string;
    kept?: boolean;
  };
}
