import { readGatewayConfig } from './gateway-config.ts'
import { runAgent } from './gateway-agent.ts'

/** `npm run gateway`: runs inside a customer's network, without the portal's database and keys. */
export async function gatewayCommand(logMessage: (sentence: string) => void): Promise<number> {
  const stopping = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopping.abort())
  await runAgent(readGatewayConfig(), { logMessage }, stopping.signal)
  return 0
}
