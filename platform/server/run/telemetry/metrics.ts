import { Counter, Gauge, Histogram, collectDefaultMetrics, Registry } from 'prom-client'
import type { Pool } from 'pg'
import type { GaugeValue, Meters } from './meters.ts'

const PREFIX = 'trainyard_'
const CALL_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const PROVIDER_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]

export function prometheusMeters(): Meters & { text(): Promise<string>; readonly type: string } {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const callSeconds = new Histogram({
    name: `${PREFIX}call_seconds`,
    help: 'Duration of a call, in seconds.',
    labelNames: ['call'],
    buckets: CALL_SECONDS,
    registers,
  })
  const calls = new Counter({
    name: `${PREFIX}calls_total`,
    help: 'Calls, by HTTP status of the reply.',
    labelNames: ['call', 'status'],
    registers,
  })
  const providerSeconds = new Histogram({
    name: `${PREFIX}provider_seconds`,
    help: 'Duration of a provider operation, in seconds.',
    labelNames: ['provider', 'operation'],
    buckets: PROVIDER_SECONDS,
    registers,
  })
  const providerCalls = new Counter({
    name: `${PREFIX}provider_calls_total`,
    help: 'Provider operations, by outcome.',
    labelNames: ['provider', 'operation', 'outcome'],
    registers,
  })
  const shed = new Counter({
    name: `${PREFIX}shed_total`,
    help: 'Calls that were refused because the process was busy, or whose client left while they waited.',
    labelNames: ['class', 'reason'],
    registers,
  })
  const heldBack = new Counter({
    name: `${PREFIX}provider_held_back_total`,
    help: 'Requests delayed by our own rate limit.',
    labelNames: ['kind'],
    registers,
  })
  const throttled = new Counter({
    name: `${PREFIX}provider_throttled_total`,
    help: 'Throttling responses of a provider.',
    labelNames: ['kind'],
    registers,
  })
  const pauses = new Counter({
    name: `${PREFIX}provider_pause_seconds_total`,
    help: 'Pauses requested by a provider, in seconds.',
    labelNames: ['kind'],
    registers,
  })
  // Observers are cached per call, because looking up labels costs more than counting.
  const observers = new Map<string, { observe(seconds: number): void }>()
  const counters = new Map<string, { inc(): void }>()
  // The pools of an API and of a worker in one process.
  const pools: Pool[] = []
  return {
    countCall(call, status, seconds) {
      const key = `${call} ${status}`
      let observer = observers.get(call)
      if (observer === undefined) observers.set(call, (observer = callSeconds.labels(call)))
      let counter = counters.get(key)
      if (counter === undefined) counters.set(key, (counter = calls.labels(call, String(status))))
      observer.observe(seconds)
      counter.inc()
    },
    countProviderCall(provider, operation, outcome, seconds) {
      providerSeconds.observe({ provider, operation }, seconds)
      providerCalls.inc({ provider, operation, outcome })
    },
    countShed: (callClass, reason) => shed.inc({ class: callClass, reason }),
    watchAdmission(read) {
      registry.registerMetric(
        new Gauge({
          name: `${PREFIX}admission_calls`,
          help: 'Calls that run and wait, and the number that may run, by kind of call.',
          labelNames: ['kind', 'state'],
          registers: [],
          collect() {
            for (const [kind, states] of Object.entries(read())) {
              for (const [state, calls] of Object.entries(states)) this.set({ kind, state }, calls)
            }
          },
        }),
      )
    },
    countDeferred: (kind) => heldBack.inc({ kind }),
    countThrottled(kind, seconds) {
      throttled.inc({ kind })
      pauses.inc({ kind }, seconds)
    },
    watchPool(pool) {
      pools.push(pool)
      if (pools.length > 1) return
      registry.registerMetric(
        new Gauge({
          name: `${PREFIX}pool_connections`,
          help: 'Database connections in use and idle, and requests that wait for one.',
          labelNames: ['state'],
          registers: [],
          collect() {
            const sum = (count: (pool: Pool) => number) => pools.reduce((total, each) => total + count(each), 0)
            this.set(
              { state: 'working' },
              sum((each) => each.totalCount - each.idleCount),
            )
            this.set(
              { state: 'idle' },
              sum((each) => each.idleCount),
            )
            this.set(
              { state: 'waited for' },
              sum((each) => each.waitingCount),
            )
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
              // The gauges have no values while the database is unreachable.
              const figures = await once().catch((): readonly GaugeValue[] => [])
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

function shared<T>(read: () => Promise<T>): () => Promise<T> {
  let last: { readonly at: number; readonly figures: Promise<T> } | null = null
  return () => {
    if (last === null || performance.now() - last.at > FRESH_MS) last = { at: performance.now(), figures: read() }
    return last.figures
  }
}
