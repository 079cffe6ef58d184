// `useChat` of the AI SDK without its framework.
import { AbstractChat } from "ai";

export class Chat extends AbstractChat {
  constructor(transport, { messages = [], ...options } = {}) {
    const state = { status: "ready", messages, error: undefined, snapshot: (value) => structuredClone(value) };
    state.pushMessage = (message) => void (state.messages = [...state.messages, message]);
    state.popMessage = () => void (state.messages = state.messages.slice(0, -1));
    state.replaceMessage = (at, message) => void (state.messages = state.messages.with(at, structuredClone(message)));
    super({ transport, state, onError: (error) => this.errors.push(error), ...options });
    this.errors = [];
  }
}
