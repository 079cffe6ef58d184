/** Traits of nodes by their types. Each format defines how it writes a node. */

import { NODE_TYPES } from "./node-table.js";

const includes = (types: readonly string[], type: string): boolean => types.includes(type);

export const isList = (type: string): boolean => includes(NODE_TYPES.list, type);
export const isItem = (type: string): boolean => includes(NODE_TYPES.item, type);
export const isCell = (type: string): boolean => includes(NODE_TYPES.cell, type);

/** Returns true for a type with raw text, without marks and notation. */
export const isRaw = (type: string): boolean => includes(NODE_TYPES.raw, type);

/** Returns true for a type that is among text. */
export const isInline = (type: string): boolean => includes(NODE_TYPES.inline, type);

export const isLineBreak = (type: string): boolean => includes(NODE_TYPES.lineBreak, type);
