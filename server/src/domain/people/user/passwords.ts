import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { createFairQueue, type QueuedClient } from './fair-queue.ts'

/** argon2id parameters. One hash takes about 18 ms on one core. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * Queue for password hashing. Leaves one core free for other work and uses at most two, because more would fill the
 * libuv thread pool that files and DNS share. The limits admit a class of 200 behind one address.
 */
export const queueHash = createFairQueue({
  concurrency: Math.min(2, Math.max(1, availableParallelism() - 1)),
  waitingMax: 1_000,
  waitingPerAddressMax: 300,
})

/** Users who set a password are signed in or invited. */
const INVITED: QueuedClient = { known: true, address: '', account: '' }

/** NFC, so that the same password typed on different keyboards is equal. */
const normalisePassword = (password: string): string => password.normalize('NFC')

export const hashPassword = (password: string): Promise<string> =>
  queueHash(INVITED, () => hash(normalisePassword(password), cost))

/**
 * Dummy hash. Verifying against it makes a login for an unknown user take as long as a wrong password, so that timing
 * does not reveal which accounts exist.
 */
const dummyHash = hash(randomBytes(16).toString('hex'), cost)

/** Returns whether the password is correct. Takes the same time without a stored hash. */
export async function isPasswordCorrect(password: string, passwordHash: string | null | undefined): Promise<boolean> {
  const right = await verify(passwordHash ?? (await dummyHash), normalisePassword(password))
  return right && passwordHash !== null && passwordHash !== undefined
}
