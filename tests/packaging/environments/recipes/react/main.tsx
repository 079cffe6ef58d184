import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Writer } from "./Writer";

createRoot(document.querySelector("#page")!).render(
  <StrictMode>
    <Writer />
  </StrictMode>,
);
