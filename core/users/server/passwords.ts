import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { createFairQueue } from './fair-queue.ts'

/** Parameters of argon2id, with which one hash takes about 18 ms on one core. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Queue of hashes on at most two cores, because more would fill the libuv thread pool that files and DNS share. */
export const queueHash = createFairQueue({
  concurrency: Math.min(2, Math.max(1, availableParallelism() - 1)),
  waitingMax: 1_000,
  waitingPerAddressMax: 500,
})

/** Client of signed-in or invited users. */
const INVITED = { known: true, address: '', user: '' }

/** Normalises a password, so that the same password typed on different keyboards is equal. */
const normalisePassword = (password: string): string => password.normalize('NFC')

/** @param closed aborts when the client closes its connection */
export const hashPassword = (password: string, closed?: AbortSignal): Promise<string> =>
  queueHash({ ...INVITED, ...(closed && { closed }) }, () => hash(normalisePassword(password), cost))

/** Makes a login for an unknown user take as long as a wrong password, so that timing reveals nothing. */
const dummyHash = hash(randomBytes(16).toString('hex'), cost)

/** Returns true if the password is correct. Takes the same time without a stored hash. */
export async function isPasswordCorrect(password: string, passwordHash: string | null | undefined): Promise<boolean> {
  const right = await verify(passwordHash ?? (await dummyHash), normalisePassword(password))
  return right && passwordHash !== null && passwordHash !== undefined
}
