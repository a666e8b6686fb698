//! The measured program of kube-rs: a controller that does nothing, told by one argument what to watch, reporting by lines of
//! JSON. The protocol is that of bench/compare/probes/protocol.mjs.
mod follow;
mod idle;
mod protocol;

use protocol::{Task, say};

#[tokio::main]
async fn main() {
    let given = std::env::args().nth(1).expect("one argument: the task as JSON");
    let task: Task = serde_json::from_str(&given).expect("a task");
    let outcome = match task.mode.as_str() {
        "follow" => follow::follow(task).await,
        "idle" => idle::idle(task).await,
        other => Err(format!("no mode {other}").into()),
    };
    if let Err(error) = outcome {
        say(serde_json::json!({ "failure": error.to_string() }));
        std::process::exit(1);
    }
}
