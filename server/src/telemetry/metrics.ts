import { Counter, Gauge, Histogram, collectDefaultMetrics, Registry } from 'prom-client'
import type { Figure, Meters } from './telemetry.ts'

const PREFIX = 'trainyard_'
const CALL_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const PROVIDER_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]

/** Meters whose figures Prometheus reads. */
export function prometheusMeters(): Meters & { text(): Promise<string>; readonly type: string } {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const callSeconds = new Histogram({
    name: `${PREFIX}call_seconds`,
    help: 'Seconds until a call was answered.',
    labelNames: ['call'],
    buckets: CALL_SECONDS,
    registers,
  })
  const calls = new Counter({
    name: `${PREFIX}calls_total`,
    help: 'Calls answered, by the status of the answer.',
    labelNames: ['call', 'status'],
    registers,
  })
  const providerSeconds = new Histogram({
    name: `${PREFIX}provider_seconds`,
    help: 'Seconds until a provider was done with what it was asked.',
    labelNames: ['provider', 'operation'],
    buckets: PROVIDER_SECONDS,
    registers,
  })
  const providerCalls = new Counter({
    name: `${PREFIX}provider_calls_total`,
    help: 'Operations asked of a provider, by what came of them.',
    labelNames: ['provider', 'operation', 'outcome'],
    registers,
  })
  const heldBack = new Counter({
    name: `${PREFIX}provider_held_back_total`,
    help: 'Requests that were not sent yet, so as not to ask too fast.',
    labelNames: ['kind'],
    registers,
  })
  const throttled = new Counter({
    name: `${PREFIX}provider_throttled_total`,
    help: 'Answers that said that a provider was asked too fast.',
    labelNames: ['kind'],
    registers,
  })
  const pauses = new Counter({
    name: `${PREFIX}provider_pause_seconds_total`,
    help: 'Seconds that a provider told us to wait.',
    labelNames: ['kind'],
    registers,
  })
  // Found once for each call: looking labels up costs more than counting.
  const observers = new Map<string, { observe(seconds: number): void }>()
  const counters = new Map<string, { inc(): void }>()
  return {
    answered(call, status, seconds) {
      const key = `${call} ${status}`
      let observer = observers.get(call)
      if (observer === undefined) observers.set(call, (observer = callSeconds.labels(call)))
      let counter = counters.get(key)
      if (counter === undefined) counters.set(key, (counter = calls.labels(call, String(status))))
      observer.observe(seconds)
      counter.inc()
    },
    asked(provider, operation, outcome, seconds) {
      providerSeconds.observe({ provider, operation }, seconds)
      providerCalls.inc({ provider, operation, outcome })
    },
    heldBack: (kind) => heldBack.inc({ kind }),
    throttled(kind, seconds) {
      throttled.inc({ kind })
      pauses.inc({ kind }, seconds)
    },
    watchPool(pool) {
      registry.registerMetric(
        new Gauge({
          name: `${PREFIX}pool_connections`,
          help: 'Connections to the database at work and idle, and calls that wait for one.',
          labelNames: ['state'],
          registers: [],
          collect() {
            this.set({ state: 'working' }, pool.totalCount - pool.idleCount)
            this.set({ state: 'idle' }, pool.idleCount)
            this.set({ state: 'waited for' }, pool.waitingCount)
          },
        }),
      )
    },
    watchState(gauges, read) {
      const once = shared(read)
      for (const [name, help] of Object.entries(gauges)) {
        const [bare, label] = name.split('/') as [string, string?]
        registry.registerMetric(
          new Gauge({
            name: PREFIX + bare,
            help,
            labelNames: label === undefined ? [] : [label],
            registers: [],
            async collect() {
              this.reset()
              // Nothing is known while the database is away: a gauge without figures says so.
              const figures = await once().catch((): readonly Figure[] => [])
              for (const figure of figures.filter(({ gauge }) => gauge === bare)) {
                if (figure.label === undefined) this.set(figure.value)
                else this.set({ [figure.label[0]]: figure.label[1] }, figure.value)
              }
            },
          }),
        )
      }
    },
    text: () => registry.metrics(),
    type: registry.contentType,
  }
}

const FRESH_MS = 2_000

/** Reads at most once in two seconds, for all who ask. */
function shared<T>(read: () => Promise<T>): () => Promise<T> {
  let last: { readonly at: number; readonly figures: Promise<T> } | null = null
  return () => {
    if (last === null || performance.now() - last.at > FRESH_MS) last = { at: performance.now(), figures: read() }
    return last.figures
  }
}
