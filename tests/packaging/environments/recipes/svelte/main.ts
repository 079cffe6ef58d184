import { mount } from "svelte";
import Writer from "./Writer.svelte";

mount(Writer, { target: document.querySelector("#page")! });
