import { AsyncLocalStorage } from 'node:async_hooks'
import { type Context, ROOT_CONTEXT, type Span as OtelSpan, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Span, Tracer } from './telemetry.ts'
import { parseTraceparent, traceparentOf } from './trace-id.ts'

const KINDS = { call: SpanKind.SERVER, work: SpanKind.CONSUMER, provider: SpanKind.CLIENT }

/** Sends spans to a collector over OTLP/HTTP every two seconds. An unreachable collector blocks nothing. */
export function otlpTracer(endpoint: string, service: string): Tracer {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': `trainyard-${service}` }),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: 2_000, exportTimeoutMillis: 5_000 })],
  })
  const tracer = provider.getTracer('trainyard')
  const now = new AsyncLocalStorage<Context>()
  const contexts = new WeakMap<Span, Context>()

  const contextOf = (parent: string | null | undefined): Context => {
    const remoteContext = parseTraceparent(parent)
    if (remoteContext === null) return now.getStore() ?? ROOT_CONTEXT
    return trace.setSpanContext(ROOT_CONTEXT, { ...remoteContext, traceFlags: 1, isRemote: true })
  }
  return {
    startSpan(name, { kind, parent }) {
      const from = contextOf(parent)
      const otel = tracer.startSpan(name, { kind: KINDS[kind] }, from)
      const span = spanOf(otel)
      contexts.set(span, trace.setSpan(from, otel))
      return span
    },
    runInSpan: (span, work) => now.run(contexts.get(span) ?? ROOT_CONTEXT, work),
    traceparent() {
      const context = now.getStore()
      const at = context === undefined ? undefined : trace.getSpanContext(context)
      return at === undefined ? null : traceparentOf(at)
    },
    stop: () => provider.shutdown(),
  }
}

const spanOf = (span: OtelSpan): Span => ({
  set: (name, value) => void span.setAttribute(name, value),
  end(failure) {
    if (failure !== null) span.setStatus({ code: SpanStatusCode.ERROR, message: failure })
    span.end()
  },
})
