import { createPrivateKey, type KeyObject } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { ConfigError } from '@trainyard/platform/server/core/errors.ts'
import { makePrivateFolder, PRIVATE_FILE } from '@trainyard/platform/server/run/files/private-folder.ts'

const FILE = 'gateway.json'
/** File with the identity that the portal has not accepted yet. */
const NEXT_FILE = 'gateway.next.json'

const shape = z.object({
  network: z.uuid(),
  /** Private key as base64 of PKCS #8, which never leaves this machine. */
  privateKey: z.string(),
  /** Public key of the portal's tickets; null until the portal has accepted the enrolment. */
  portalKey: z.string().nullable(),
  /** Fingerprint of the token that enrolled the agent: the same token does not enrol it again. */
  token: z.string(),
})

/** Identity of an agent, stored in its data folder. */
export type AgentState = z.output<typeof shape>

/** Returns null if no agent was enrolled in this folder. @throws ConfigError if the file is damaged */
export const readAgentState = (dataDir: string): AgentState | null => readState(join(dataDir, FILE))

/** Returns the identity of an enrolment that the portal has not accepted yet; null if there is none. */
export const readNextAgentState = (dataDir: string): AgentState | null => readState(join(dataDir, NEXT_FILE))

function readState(file: string): AgentState | null {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  try {
    return shape.parse(JSON.parse(text))
  } catch (cause) {
    throw new ConfigError(`${file} is damaged. Delete it, issue a new token in the portal, and set GATEWAY_TOKEN.`, {
      cause,
    })
  }
}

/** Stores an identity beside the current one, which stays valid until the portal accepts the next one. */
export function writeNextAgentState(dataDir: string, state: AgentState): void {
  makePrivateFolder(dataDir)
  const draft = join(dataDir, `${NEXT_FILE}.${process.pid}`)
  writeFileSync(draft, JSON.stringify(state), { mode: PRIVATE_FILE })
  renameSync(draft, join(dataDir, NEXT_FILE))
}

/** Replaces the current identity in one step, so that a crash leaves either the old identity or the new one. */
export function writeAgentState(dataDir: string, state: AgentState): void {
  writeNextAgentState(dataDir, state)
  renameSync(join(dataDir, NEXT_FILE), join(dataDir, FILE))
}

export const privateKeyOf = ({ privateKey }: Pick<AgentState, 'privateKey'>): KeyObject =>
  createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' })
