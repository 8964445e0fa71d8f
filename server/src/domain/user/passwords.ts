import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { takeTurns } from './turns.ts'

/** argon2id, about 18 ms of one core each. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

// More at a time would fill the thread pool that file and network look-ups share.
const inTurn = takeTurns(2, 1_000)

/** The same letters typed on different keyboards are the same password. */
const spelled = (password: string): string => password.normalize('NFC')

export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(spelled(password), cost))

/** Nobody's hash: checking against it makes a log-in that can't succeed take as long as one that could. */
const nobody = hash(randomBytes(16).toString('hex'), cost)

/** Whether the password is right; takes the same time where there is no hash to compare it with. */
export async function isPassword(password: string, passwordHash: string | null | undefined): Promise<boolean> {
  const against = passwordHash ?? (await nobody)
  const right = await inTurn(() => verify(against, spelled(password)))
  return right && passwordHash !== null && passwordHash !== undefined
}
