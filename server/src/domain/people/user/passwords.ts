import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { takeTurns, type Waiting } from './turns.ts'

/** argon2id, about 18 ms of one core each. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * Lets somebody have a password hashed when it is their turn. A core is left to whatever else is asked of the machine,
 * and more than two would fill the thread pool that file and network look-ups share. A class of 200 behind one address
 * fits in.
 */
export const hashInTurn = takeTurns({
  atOnce: Math.min(2, Math.max(1, availableParallelism() - 1)),
  waiting: 1_000,
  waitingPerAddress: 300,
})

/** Somebody who sets a password is signed in or was invited. */
const INVITED: Waiting = { known: true, address: '', account: '' }

/** The same letters typed on different keyboards are the same password. */
const spelled = (password: string): string => password.normalize('NFC')

export const hashPassword = (password: string): Promise<string> =>
  hashInTurn(INVITED, () => hash(spelled(password), cost))

/** Nobody's hash: checking against it makes a log-in that can't succeed take as long as one that could. */
const nobody = hash(randomBytes(16).toString('hex'), cost)

/** Tells a right password; takes the same time where there is no hash to compare it with. */
export async function isPassword(password: string, passwordHash: string | null | undefined): Promise<boolean> {
  const right = await verify(passwordHash ?? (await nobody), spelled(password))
  return right && passwordHash !== null && passwordHash !== undefined
}
