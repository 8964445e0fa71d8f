import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { runAgent, type AgentSettings } from '../server/gateway-agent.ts'
import { removeFolder } from '@trainyard/platform/test/remove-folder.ts'
import { until } from '@trainyard/platform/test/until.ts'

export interface TestAgent {
  readonly settings: AgentSettings
  /** The agent's messages to its operator. */
  readonly messages: readonly string[]
  connected(): Promise<void>
  stop(): Promise<void>
}

/** Starts agents in this process and stops them after the tests. */
export function sharedAgents() {
  const agents = new Set<TestAgent>()
  const folders: string[] = []
  afterAll(async () => {
    await Promise.all([...agents].map((agent) => agent.stop()))
    for (const folder of folders) removeFolder(folder)
  })
  return function startAgent(options: Pick<AgentSettings, 'portal' | 'token'> & Partial<AgentSettings>): TestAgent {
    const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'trainyard-gateway-'))
    folders.push(dataDir)
    const settings = { dataDir, ranges: null, machineProxy: null, version: '1.2.3', ...options }
    const messages: string[] = []
    const stopping = new AbortController()
    const logMessage = (sentence: string) => void messages.push(sentence)
    const running = runAgent(settings, { logMessage, reconnectMs: 20 }, stopping.signal)
    const agent: TestAgent = {
      settings,
      messages: messages,
      connected: async () => {
        await until(
          'the agent is connected',
          async () => messages.at(-1),
          (last) => last?.startsWith('Connected to') === true,
        )
      },
      async stop() {
        stopping.abort()
        await running
        agents.delete(agent)
      },
    }
    agents.add(agent)
    return agent
  }
}
