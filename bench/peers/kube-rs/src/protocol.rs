use std::io::Write;
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Map, Value, json};

pub type Outcome = Result<(), Box<dyn std::error::Error + Send + Sync>>;

#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Task {
    pub mode: String,
    pub kubeconfig: String,
    #[serde(default)]
    pub kind: String,
    pub count: u64,
    #[serde(default = "one")]
    pub workers: u16,
    #[serde(default)]
    pub write: bool,
}

fn one() -> u16 {
    1
}

pub fn say(report: Value) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{report}").expect("a reader");
    out.flush().expect("a reader");
}

/// What the process has used until now, by the kernel's count.
#[derive(Clone, Copy)]
pub struct Usage {
    at: Instant,
    cpu: Duration,
}

fn counted() -> libc::rusage {
    // SAFETY: getrusage fills the whole structure, and zero is a valid value of each of its fields.
    unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        usage
    }
}

fn duration(time: libc::timeval) -> Duration {
    Duration::new(time.tv_sec as u64, time.tv_usec as u32 * 1000)
}

impl Usage {
    pub fn now() -> Self {
        let usage = counted();
        Usage { at: Instant::now(), cpu: duration(usage.ru_utime) + duration(usage.ru_stime) }
    }

    /// What was used since, with the memory of now.
    pub fn since(&self, at: &str) -> Map<String, Value> {
        let now = Usage::now();
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        let report = json!({
            "at": at,
            "wall": ms(now.at - self.at),
            "cpu": ms(now.cpu - self.cpu),
            "rss": resident(),
            "peak": counted().ru_maxrss * 1024,
        });
        match report {
            Value::Object(fields) => fields,
            _ => unreachable!("it is written as an object"),
        }
    }
}

fn resident() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm")
        .ok()
        .and_then(|text| text.split_whitespace().nth(1)?.parse::<u64>().ok());
    pages.unwrap_or(0) * 4096
}

pub fn percentiles(values: &mut [f64]) -> Value {
    if values.is_empty() {
        return Value::Null;
    }
    values.sort_by(f64::total_cmp);
    let at = |share: f64| values[((values.len() - 1) as f64 * share) as usize];
    json!({ "p50": at(0.5), "p99": at(0.99), "max": at(1.0) })
}

/// Lines from the measuring process, on a thread of their own.
pub fn commands(handle: impl Fn(&str, u64) + Send + 'static) {
    std::thread::spawn(move || {
        for line in std::io::stdin().lines().map_while(Result::ok) {
            let mut words = line.split_whitespace();
            let word = words.next().unwrap_or("");
            if word == "end" {
                std::process::exit(0);
            }
            handle(word, words.next().and_then(|number| number.parse().ok()).unwrap_or(0));
        }
        // Whoever measures has gone.
        std::process::exit(1);
    });
}

pub async fn client(task: &Task) -> Result<kube::Client, Box<dyn std::error::Error + Send + Sync>> {
    let kubeconfig = kube::config::Kubeconfig::read_from(&task.kubeconfig)?;
    let config = kube::Config::from_custom_kubeconfig(kubeconfig, &Default::default()).await?;
    Ok(kube::Client::try_from(config)?)
}
