//! Thinking and calls that a server leaves in the text.

use crate::decoding::{event, stream};
use crate::random::Random;
use copydesk_base::secrets::Secrets;
use copydesk_llm::{Api, AssistantMessage, Decoder, Delta, Part};
use serde_json::{Value, json};

const TOOLS: [&str; 3] = ["replace_text", "get_document", "edit"];

/// Decodes a stream; `run` states that calls in the text are calls.
fn decoded(body: &[u8], pieces: Vec<&[u8]>, run: bool) -> AssistantMessage {
    let tools = TOOLS.map(str::to_owned).to_vec();
    let secrets = Secrets::of("sk-secret");
    let mut decoder = Decoder::new(Api::OpenaiCompletions, "text/event-stream", &secrets).recognizing_calls(tools, run);
    let mut deltas = Vec::new();
    for piece in pieces {
        deltas.extend(decoder.push(piece).unwrap());
    }
    deltas.extend(decoder.end().unwrap());
    let answer = decoder.finish().unwrap_or_else(|error| panic!("{error}\n{}", String::from_utf8_lossy(body)));
    let (mut text, mut thinking) = (String::new(), String::new());
    for delta in deltas {
        match delta {
            Delta::Text(more) => text += &more,
            Delta::Thinking(more) => thinking += &more,
            Delta::TextWasThinking => thinking += &std::mem::take(&mut text),
            _ => {}
        }
    }
    assert_eq!((text, thinking), (answer.text(), answer.thinking()), "the deltas say what the answer says");
    answer
}

/// The answer of this text, after making sure that it is the same however the text is split over deltas.
fn answer_of(text: &str, run: bool) -> AssistantMessage {
    let mut random = Random::new();
    let body = stream(&[json!({ "content": text })], "stop");
    let whole = decoded(body.as_bytes(), vec![body.as_bytes()], run);
    let characters: Vec<char> = text.chars().collect();
    for longest in [1, 2, 9, 30] {
        let (mut deltas, mut rest) = (Vec::new(), characters.as_slice());
        while !rest.is_empty() {
            let (piece, after) = rest.split_at((1 + random.below(longest)).min(rest.len()));
            deltas.push(json!({ "content": piece.iter().collect::<String>() }));
            rest = after;
        }
        let body = stream(&deltas, "stop");
        let split = decoded(body.as_bytes(), random.split(body.as_bytes(), 40), run);
        assert_eq!(split, whole, "another answer when split: {text}");
    }
    whole
}

#[test]
fn thinking_in_marks_is_no_text() {
    for (text, thinking, said) in [
        ("<think>I should say hi.</think>Hi.", "I should say hi.", "Hi."),
        ("\n<think>\nI should\nsay hi.\n</think>\n\nHi.", "I should\nsay hi.", "Hi."),
        ("<think>\n\n</think>\n\nHi.", "", "Hi."),
        ("<thinking>Hm.</thinking>\nHi.", "Hm.", "Hi."),
        ("[THINK]Hm.[/THINK]Hi.", "Hm.", "Hi."),
        ("<think>The `</think>` tag ends it.</think>Hi.", "The `</think>` tag ends it.", "Hi."),
        ("<think>One.</think>\n<think>Two.</think>\nHi.", "One.Two.", "Hi."),
        ("<think>Cut off", "Cut off", ""),
        // Without the beginning, which is part of the prompt.
        ("I should say hi.</think>Hi.", "I should say hi.", "Hi."),
        ("I should say hi\n</think>\n\nHi.", "I should say hi\n", "Hi."),
        ("用户想打招呼。</think>你好。", "用户想打招呼。", "你好。"),
        ("I should\n\n</think>\n\nHi. Use `</think>` to end it.", "I should\n\n", "Hi. Use `</think>` to end it."),
        ("</think>\n\nHi.", "", "Hi."),
        ("I call it.</think>", "I call it.", ""),
        // Nested thinking ends at the outer end.
        ("<think>One <think>two.</think> Three.</think>Hi.", "One <think>two.Three.", "Hi."),
        ("<THINK>Hm.</Think>Hi.", "Hm.", "Hi."),
        ("<reasoning>\nHm.\n</reasoning>\nHi.", "Hm.", "Hi."),
        ("<|think|>Hm.<|/think|>Hi.", "Hm.", "Hi."),
        (
            "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Hi.<|return|>",
            "Hm.",
            "Hi.",
        ),
        ("<|start|>assistant<|channel|>final<|message|>Hi.", "", "Hi."),
        ("<think>One.</think>Hi.\n\n<think>Two.</think>\nYou.", "One.Two.", "Hi.\n\nYou."),
    ] {
        let answer = answer_of(text, false);
        assert_eq!((answer.thinking().as_str(), answer.text().as_str()), (thinking, said), "{text}");
    }
}

#[test]
fn text_about_marks_is_text() {
    for text in [
        "Hi. <think>",
        "The model writes `<think>` and `</think>` around it.",
        "It ends with the </think> tag, as models do.",
        "Put <think> and </think> around it.",
        "End it with </think>.",
        "```\nHm.\n</think>\n```\nThat is how.",
        "Models think.\n\n```xml\n<think>\n</think>\n```",
        "a < b and [THIN] and ◁",
        "A tag <reasoning> and a token <|think|> in a sentence.",
        "  leading space",
        "\n\n",
    ] {
        let answer = answer_of(text, false);
        assert_eq!((answer.text().as_str(), answer.thinking().as_str()), (text, ""));
    }
}

/// A call in the formats of models; the arguments are `{"old": "leaf", "new": "bud"}`.
fn calls() -> Vec<(&'static str, String)> {
    let json = r#"{"old":"leaf","new":"bud"}"#;
    let call = format!(r#"{{"name":"replace_text","arguments":{json}}}"#);
    let tagged = |open: &str, end: &str| format!("<{open}old\">leaf</{end}><{open}new\">bud</{end}>");
    vec![
        ("Hermes", format!("<tool_call>\n{call}\n</tool_call>")),
        ("Hermes without an end", format!("<tool_call>\n{call}")),
        ("after a sentence", format!("I'll edit it.<tool_call>{call}</tool_call>")),
        ("Qwen", "<tool_call>\n<function=replace_text>\n<parameter=old>\nleaf\n</parameter>\n<parameter=new>\nbud\n</parameter>\n</function>\n</tool_call>".into()),
        ("Qwen without tool_call", "<function=replace_text><parameter=old>leaf</parameter><parameter=new>bud</parameter></function>".into()),
        ("Llama", format!("<function=replace_text>{json}</function>")),
        ("invoke", format!("<function_calls>\n<invoke name=\"replace_text\">{}</invoke>\n</function_calls>", tagged("parameter name=\"", "parameter"))),
        ("MiniMax", format!("<minimax:tool_call>\n<invoke name=\"replace_text\">\n{}\n</invoke>\n</minimax:tool_call>", tagged("parameter name=\"", "parameter"))),
        ("Kimi", format!("<|tool_calls_section_begin|><|tool_call_begin|>functions.replace_text:0<|tool_call_argument_begin|>{json}<|tool_call_end|><|tool_calls_section_end|>")),
        ("Mistral", format!("[TOOL_CALLS][{call}]")),
        ("Mistral, newer", format!("[TOOL_CALLS]replace_text[ARGS]{json}")),
        ("DeepSeek", format!("<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>replace_text\n```json\n{json}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>")),
        ("DeepSeek, newer", format!("<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>replace_text<｜tool▁sep｜>{json}<｜tool▁call▁end｜>")),
        ("GLM", "<tool_call>replace_text\n<arg_key>old</arg_key>\n<arg_value>leaf</arg_value>\n<arg_key>new</arg_key>\n<arg_value>bud</arg_value>\n</tool_call>".into()),
        ("code block", format!("```json\n{call}\n```")),
        ("code block with a list", format!("```tool_call\n[ {call} ]\n```\n")),
        ("JSON alone", call.clone()),
        ("parameters", r#"{"type": "function", "name": "replace_text", "parameters": {"old":"leaf","new":"bud"}}"#.into()),
        ("Mistral with ids", format!("[TOOL_CALLS]replace_text[CALL_ID]abc123def[ARGS]{json}")),
        ("DSML", "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"replace_text\">\n<｜DSML｜parameter name=\"old\" string=\"true\">leaf</｜DSML｜parameter>\n<｜DSML｜parameter name=\"new\" string=\"true\">bud</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>".into()),
        ("a namespace", format!("<ns:function_calls>\n<ns:invoke name=\"replace_text\">{}</ns:invoke>\n</ns:function_calls>", "<ns:parameter name=\"old\">leaf</ns:parameter><ns:parameter name=\"new\">bud</ns:parameter>")),
        ("Llama 4", "<|python_start|>[replace_text(old=\"leaf\", new='bud')]<|python_end|>".into()),
        ("LFM2", "<|tool_call_start|>[replace_text(old=\"leaf\", new=\"bud\")]<|tool_call_end|>".into()),
        ("Python alone", "[replace_text(old=\"leaf\", new=\"bud\")]".into()),
        ("Gemma", "```tool_code\nprint(default_api.replace_text(old=\"leaf\", new=\"bud\"))\n```".into()),
        ("Harmony", format!("<|channel|>commentary to=functions.replace_text <|constrain|>json<|message|>{json}<|call|>")),
        ("Harmony from the start", format!("<|start|>assistant to=functions.replace_text<|channel|>commentary json<|message|>{json}<|call|>")),
        ("Harmony without tokens", format!("commentary to=functions.replace_text json{json}")),
        ("functools", format!("functools[{call}]")),
        ("Cohere", format!(r#"<|START_ACTION|>[{{"tool_call_id":"0","tool_name":"replace_text","parameters":{json}}}]<|END_ACTION|>"#)),
        ("Nemotron", format!("<TOOLCALL>[{call}]</TOOLCALL>")),
        ("InternLM", format!("<|action_start|><|plugin|>{call}<|action_end|>")),
        ("tool_calls", format!(r#"{{"tool_calls":[{{"id":"1","type":"function","function":{call}}}]}}"#)),
        ("function_call", format!(r#"{{"function_call": {call}}}"#)),
        ("action", format!(r#"{{"action": "replace_text", "action_input": {json}}}"#)),
        ("ReAct", format!("Action: replace_text\nAction Input: {json}")),
        ("tool_use", format!("<tool_use>\n<tool_name>replace_text</tool_name>\n<parameters>\n{}\n</parameters>\n</tool_use>", "<old>leaf</old>\n<new>bud</new>")),
        ("tool_use with JSON", format!("<tool_use><name>replace_text</name><arguments>{json}</arguments></tool_use>")),
        ("the tool as a tag", "<replace_text>\n<old>leaf</old>\n<new>bud</new>\n</replace_text>".into()),
        ("the name and JSON", format!("replace_text({json})")),
        ("OpenAI's shape", format!(r#"{{"type":"function","function":{{"name":"replace_text","arguments":{}}}}}"#, json!(json))),
    ]
}

#[test]
fn calls_in_the_text_are_named_and_are_no_text() {
    for (format, text) in calls() {
        let before = if text.starts_with("I'll") { "" } else { "I'll edit it.\n\n" };
        // JSON alone is a call only if it is the answer.
        for before in if text.starts_with('{') { vec![""] } else { vec!["", before] } {
            let answer = answer_of(&format!("{before}{text}"), false);
            assert_eq!(answer.text_calls, ["replace_text"], "{format}");
            assert!(answer.tool_calls.is_empty(), "{format}");
            let said = if text.starts_with("I'll") { "I'll edit it." } else { before };
            assert_eq!(answer.text(), said, "{format}");
        }
    }
}

#[test]
fn calls_in_the_text_are_calls_if_the_server_is_declared_to_need_it() {
    for (format, text) in calls() {
        let answer = answer_of(&text, true);
        let called: Value = answer.tool_calls.iter().map(|call| json!([call.name, call.arguments.whole()])).collect();
        assert_eq!(called, json!([["replace_text", { "old": "leaf", "new": "bud" }]]), "{format}");
        assert!(answer.text_calls.is_empty() && matches!(answer.content.last(), Some(Part::ToolCall { call: 0 })));
    }
    let two = "<tool_call>\n{\"name\":\"get_document\"}\n</tool_call>\n<tool_call>\n{\"name\":\"edit\",\"arguments\":{\"n\":1}}\n</tool_call>\nDone.";
    let answer = answer_of(two, true);
    let called: Value = answer.tool_calls.iter().map(|call| json!([call.name, call.arguments.whole()])).collect();
    assert_eq!((called, answer.text().as_str()), (json!([["get_document", {}], ["edit", { "n": 1 }]]), "Done."));
}

#[test]
fn text_behind_a_call_with_a_mark_is_text() {
    for call in [
        "[TOOL_CALLS]edit[ARGS]{\"n\":1}",
        "[TOOL_CALLS][{\"name\":\"edit\",\"arguments\":{\"n\":1}}]",
        "<tool_call>{\"name\":\"edit\",\"arguments\":{\"n\":1}}</tool_call>",
        "Action: edit\nAction Input: {\"n\":1}",
    ] {
        let answer = answer_of(&format!("{call}\nDone."), true);
        let called: Value = answer.tool_calls.iter().map(|call| json!([call.name, call.arguments.whole()])).collect();
        assert_eq!((called, answer.text().as_str()), (json!([["edit", { "n": 1 }]]), "Done."), "{call}");
    }
}

#[test]
fn a_call_whose_arguments_are_not_read_does_not_run() {
    for text in [
        "<start_function_call>call:edit{content:<escape>Tea<escape>}<end_function_call>",
        "<|python_start|>[edit(\"Tea\")]<|python_end|>",
        "<tool_call>{\"name\":\"edit\",\"arguments\":{content}}</tool_call>",
    ] {
        let answer = answer_of(text, true);
        let arguments: Vec<_> =
            answer.tool_calls.iter().map(|call| (call.name.as_str(), call.arguments.whole())).collect();
        assert_eq!((arguments, answer.text().as_str()), (vec![("edit", None)], ""), "{text}");
        let answer = answer_of(text, false);
        assert_eq!((answer.text_calls.as_slice(), answer.text().as_str()), (&["edit".to_owned()][..], ""), "{text}");
    }
}

#[test]
fn a_call_in_the_text_that_is_cut_off_does_not_run() {
    for text in [
        "<tool_call>\n{\"name\":\"edit\",\"arguments\":{\"content\":\"Half",
        "<function=edit><parameter=content>Half",
        "<function=edit><parameter=content>Half</parameter>",
        "count\n<invoke name=\"edit\">",
        "<|tool_call_begin|>functions.edit:0<|tool_call_argument_begin|>{\"content\":\"Half",
        "<tool_call>edit\n<arg_key>content</arg_key>\n<arg_value>Half",
    ] {
        let answer = answer_of(text, true);
        assert_eq!(answer.tool_calls.len(), 1, "{text}");
        assert_eq!(
            (answer.tool_calls[0].name.as_str(), answer.tool_calls[0].arguments.whole()),
            ("edit", None),
            "{text}"
        );
        assert_eq!(answer_of(text, false).text_calls, ["edit"], "{text}");
    }
}

#[test]
fn text_about_calls_is_text() {
    for text in [
        "It writes <tool_call>{\"name\":\"edit\",\"arguments\":{}}</tool_call> around it.",
        "Use `<tool_call>{\"name\":\"edit\",\"arguments\":{}}</tool_call>` for it.",
        "```xml\n<tool_call>\n{\"name\":\"edit\",\"arguments\":{}}\n</tool_call>\n```",
        "<tool_call>\n{\"name\":\"unknown\",\"arguments\":{}}\n</tool_call>",
        "<invoke name=\"unknown\"></invoke>",
        "<function=unknown>{}</function>",
        "```json\n{\"name\": \"edit\", \"arguments\": {}}\n```\nThat is how a call looks.",
        "```json\n{\"name\": \"tea\", \"price\": 5}\n```",
        "{\"name\": \"edit\", \"price\": 5}",
        "{\"title\": \"Tea\"}",
        "[1] A source\n[2] <invoke> and [TOOL_CALLS] and <|x|>",
        "```\nlet x = 1;\n```",
        "Action: edit the second chapter.",
        "Action items\n\nfunction names and json files\nassistants",
        "edit (the tool) and get_document are tools.",
        "edit: changes the text\nget_document: reads it",
        "[edit](https://a.example) is a link",
        "edit(x) is how a call looks.",
        "replace_text(old=\"a\", new=\"b\") is how a call looks.",
        "<edit> is a tag and <tool_use> another.",
        "<p>Some HTML</p>\n<h2>edit</h2>",
        "<action>edit</action>",
        "```python\nedit(line=1)\n```\nThat is how.",
        "[call] {\"name\": \"edit\", \"arguments\": {}} is how a call looks.",
        "``` ",
        "<",
    ] {
        let answer = answer_of(text, false);
        assert_eq!((answer.text().as_str(), answer.text_calls.len()), (text, 0));
    }
}

#[test]
fn random_text_of_marks_is_the_same_however_it_is_split() {
    const PARTS: [&str; 34] = [
        "<THINK>",
        "<|channel|>analysis<|message|>",
        "<|end|>",
        "<|start|>assistant",
        "Action: edit\nAction Input: ",
        "[edit(a=1)]",
        "edit",
        "functools",
        "commentary to=",
        "<edit>",
        "<think>",
        "</think>",
        "<tool_call>",
        "</tool_call>",
        "{\"name\":\"edit\",\"arguments\":{}}",
        "```",
        "json",
        "\n",
        "`",
        " ",
        "Hi.",
        "tea",
        "<",
        "<|tool_call_begin|>",
        "<function=edit>",
        "</function>",
        "[TOOL_CALLS]",
        "{",
        "<invoke name=\"",
        "edit\">",
        "茶。",
        "[/THINK]",
        "<parameter=a>",
        "</parameter>",
    ];
    let mut random = Random::new();
    for _ in 0..300 {
        let text: String = (0..1 + random.below(8)).map(|_| *random.pick(&PARTS)).collect();
        answer_of(&text, random.below(2) == 0);
    }
}

#[test]
fn a_finish_reason_without_the_call_that_it_announces_is_noticed() {
    for finish in ["tool_calls", "function_call"] {
        let body = stream(&[json!({ "content": "I'll edit." })], finish);
        assert!(decoded(body.as_bytes(), vec![body.as_bytes()], false).lacks_call());
    }
    let call = json!({ "index": 0, "id": "a", "function": { "name": "edit", "arguments": "{}" } });
    let body = stream(&[json!({ "tool_calls": [call] })], "tool_calls");
    assert!(!decoded(body.as_bytes(), vec![body.as_bytes()], false).lacks_call());
    let body = stream(&[json!({ "content": "<function=edit>{}</function>" })], "tool_calls");
    assert!(!decoded(body.as_bytes(), vec![body.as_bytes()], false).lacks_call());
}

#[test]
fn text_beside_other_deltas_keeps_its_place() {
    let call = json!({ "index": 0, "id": "a", "function": { "name": "edit", "arguments": "{}" } });
    let chunk = |delta: Value| event(&json!({ "choices": [{ "delta": delta }] }));
    let body = chunk(json!({ "content": "\n" }))
        + &chunk(json!({ "tool_calls": [call] }))
        + &chunk(json!({ "content": "<tool" }))
        + &chunk(json!({ "reasoning_content": "Hm." }))
        + &stream(&[json!({ "content": " call" })], "stop");
    let answer = decoded(body.as_bytes(), vec![body.as_bytes()], false);
    let text = |part: &Part| if let Part::Text { text, .. } = part { Some(text.clone()) } else { None };
    assert_eq!(answer.content.iter().filter_map(text).collect::<String>(), "\n<tool call");
    assert!(matches!(answer.content[1], Part::ToolCall { call: 0 }), "{:?}", answer.content);
}
