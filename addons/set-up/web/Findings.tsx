import { Lamp, type Signal } from '@trainyard/platform/web/ui/Lamp.tsx'
import type { ConnectionCheck } from '../contract/set-up.ts'
import styles from './PortalSetUp.module.css'

/** Step that shows a check. All providers are in one step. */
const stepOf = ({ group }: ConnectionCheck): string =>
  group === 'PUBLIC_URL' ? 'portal' : group === 'SMTP' ? 'mail' : 'provider'

export const isFor =
  (step: 'portal' | 'provider' | 'mail') =>
  (check: ConnectionCheck): boolean =>
    stepOf(check) === step

export const hasProblem = ({ state }: ConnectionCheck): boolean => state === 'red' || state === 'not run'

/** True if the emulator takes the place of a provider. */
export const isEmulated = ({ group, state }: ConnectionCheck): boolean => group === 'Emulator' && state === 'green'

/** Results of checks, grouped by part: problems with advice, otherwise one sentence. */
export const Findings = ({ checks }: { checks: readonly ConnectionCheck[] }) => (
  <ul className={styles.groups}>
    {[...Map.groupBy(checks, ({ group }) => group)].map(([group, all]) => (
      <li key={group}>
        <Group group={group} checks={all} />
      </li>
    ))}
  </ul>
)

function Group({ group, checks }: { group: string; checks: readonly ConnectionCheck[] }) {
  const [signal, word] = signalOf(checks)
  const red = checks.filter(({ state }) => state === 'red')
  // Checks that did not run repeat the problem of the check before.
  const shown = red.length > 0 ? red : checks.slice(0, 1)
  const green = checks.filter(({ state }) => state === 'green').length
  return (
    <>
      <div className="ends">
        <h3>{group}</h3>
        <Lamp signal={signal}>{word}</Lamp>
      </div>
      {word === 'Works' && green > 1 ? (
        <p className="dim">{green} checks without problems.</p>
      ) : (
        shown
          .flatMap(({ findings }) => findings)
          .map(({ what, todo }, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- checks may report the same finding
            <p key={index}>
              {what} {todo !== null && <span className="dim">{todo}</span>}
            </p>
          ))
      )}
    </>
  )
}

function signalOf(checks: readonly ConnectionCheck[]): readonly [Signal, string] {
  const is = (wanted: ConnectionCheck['state']) => checks.some(({ state }) => state === wanted)
  if (is('red')) return ['danger', 'Needs you']
  if (checks.some(isEmulated)) return ['still', 'Emulated']
  if (is('not run')) return ['still', 'Waits']
  return is('green') ? ['clear', 'Works'] : ['gone', 'Not used']
}
