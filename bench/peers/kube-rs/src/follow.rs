use std::collections::HashSet;
use std::fmt::Debug;
use std::hash::Hash;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures::StreamExt;
use k8s_openapi::api::core::v1::Pod;
use kube::api::{Patch, PatchParams};
use kube::runtime::controller::{Action, Config, Controller};
use kube::runtime::watcher;
use kube::{Api, CustomResource, Resource, ResourceExt};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::protocol::{Outcome, Task, Usage, client, commands, percentiles, say};

#[derive(CustomResource, Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[kube(group = "bench.example.com", version = "v1", kind = "Widget", namespaced, status = "WidgetStatus")]
pub struct WidgetSpec {
    pub size: i64,
    pub color: String,
    #[serde(default)]
    pub parts: Vec<WidgetPart>,
    #[serde(default)]
    pub settings: std::collections::BTreeMap<String, String>,
}

#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct WidgetPart {
    pub name: String,
    pub quantity: i64,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WidgetStatus {
    #[serde(default)]
    pub observed_generation: i64,
    #[serde(default)]
    pub runs: i64,
}

/// Counts runs from a mark on, and tells when enough have been seen.
struct Counter {
    start: Usage,
    runs: u64,
    expected: u64,
    word: &'static str,
    latencies: Vec<f64>,
}

struct Context {
    counter: Mutex<Counter>,
    written: Mutex<HashSet<String>>,
    widgets: Option<kube::Client>,
}

fn sent<K: Resource>(object: &K) -> Option<f64> {
    let micros: f64 = object.meta().annotations.as_ref()?.get("bench.example.com/sent")?.parse().ok()?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?.as_micros() as f64;
    (micros > 0.0).then_some(now - micros)
}

async fn reconcile<K>(object: Arc<K>, context: Arc<Context>) -> Result<Action, kube::Error>
where
    K: Resource<DynamicType = ()>,
{
    if let Some(latency) = sent(&*object) {
        context.counter.lock().expect("no panics").latencies.push(latency);
    }
    if let Some(client) = &context.widgets {
        // The run that the write itself causes does not count.
        if !context.written.lock().expect("no panics").insert(object.name_any()) {
            return Ok(Action::await_change());
        }
        let api: Api<Widget> = Api::namespaced(client.clone(), &object.namespace().unwrap_or_default());
        let patch = Patch::Merge(json!({ "status": { "runs": 1 } }));
        api.patch_status(&object.name_any(), &PatchParams::default(), &patch).await?;
    }
    let mut counter = context.counter.lock().expect("no panics");
    counter.runs += 1;
    if counter.expected > 0 && counter.runs == counter.expected {
        counter.expected = 0;
        let mut report = counter.start.since(counter.word);
        report.insert("runs".into(), counter.runs.into());
        let latency = percentiles(&mut counter.latencies);
        report.insert("latency".into(), latency);
        say(Value::Object(report));
    }
    Ok(Action::await_change())
}

async fn run<K>(task: Task) -> Outcome
where
    K: Resource<DynamicType = ()> + Clone + Debug + DeserializeOwned + Send + Sync + 'static,
    K::DynamicType: Hash + Eq + Debug + Clone + Unpin,
{
    let client = client(&task).await?;
    let start = Usage::now();
    let counter = Counter { start, runs: 0, expected: task.count, word: "settled", latencies: Vec::new() };
    let widgets = task.write.then(|| client.clone());
    let context = Arc::new(Context { counter: Mutex::new(counter), written: Mutex::default(), widgets });
    let told = context.clone();
    // A streaming list, as the others ask for; reconciles begin while it still arrives.
    let controller = Controller::new(Api::<K>::all(client), watcher::Config::default().streaming_lists())
        .with_config(Config::default().concurrency(task.workers));
    let store = controller.store();
    tokio::spawn(async move {
        if store.wait_until_ready().await.is_ok() {
            // Said before "settled" whatever comes first: the lock is held from the look to the word.
            let counter = context.counter.lock().expect("no panics");
            say(Value::Object(counter.start.since("synced")));
        }
    });
    let shared = told.clone();
    commands(move |word, number| {
        let mut counter = shared.counter.lock().expect("no panics");
        match word {
            "mark" => {
                *counter =
                    Counter { start: Usage::now(), runs: 0, expected: number, word: "done", latencies: Vec::new() };
                say(json!({ "at": "marked" }));
            }
            "usage" => say(Value::Object(counter.start.since("usage"))),
            _ => {}
        }
    });
    controller
        .run(reconcile::<K>, |_, _, _| Action::requeue(Duration::from_secs(1)), told)
        .for_each(|_| std::future::ready(()))
        .await;
    Ok(())
}

pub async fn follow(task: Task) -> Outcome {
    if task.kind == "pods" { run::<Pod>(task).await } else { run::<Widget>(task).await }
}
