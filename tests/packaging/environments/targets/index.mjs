// The environments: what each is, which versions of which packages it needs, and how its app is built and run.
//
//   name      the row of the table
//   packages  installed beside copydesk, with exact versions
//   takes     what a user must do beyond installing; "nothing" if nothing
//   works     what the table says instead of "yes"
//   quick     true for those that the test command plays
//   recipe    folders of recipes/ and where in the app they are copied
//   files     further files of the app, by path
//   build     commands, as arrays; the first word is a program of node_modules/.bin or on PATH
//   page      the folder with the built page, for environments that are judged in Chromium
//   server    a command that serves the page, with `{port}` in it, instead of `page`
//   routes    paths of the server that answer as runtimes do
//   asks      true for a page that asks the model by itself, or the button that does
//   run       commands whose output ends in the expected line, for runtimes
//   tests     commands that must succeed, for test runners and compilers

import { bundlers } from "./bundlers.mjs";
import { compilers } from "./compilers.mjs";
import { frameworks } from "./frameworks.mjs";
import { examples } from "./readme.mjs";
import { runners } from "./runners.mjs";
import { runtimes } from "./runtimes.mjs";

export const targets = [...examples, ...bundlers, ...frameworks, ...runtimes, ...runners, ...compilers];
