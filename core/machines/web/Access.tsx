import { useState, type ReactNode } from 'react'
import type { Machine } from '../contract/machine.ts'
import { CopyButton } from '@trainyard/platform/web/ui/CopyButton.tsx'
import styles from './Access.module.css'

export function Access({ machine }: { machine: Machine }) {
  const [uncovered, setUncovered] = useState(false)
  const { name, publicIp, adminUsername, adminPass } = machine
  const command = connectCommand(machine)
  return (
    <dl className={styles.access}>
      <Line
        term={machine.addressKind === 'private address' ? 'Private address' : 'Public address'}
        copied={publicIp}
        machine={name}
      >
        {publicIp ?? '–'}
      </Line>
      <Line term="User name" copied={adminUsername} machine={name}>
        {adminUsername}
      </Line>
      <Line term="Password" copied={adminPass} machine={name}>
        {adminPass === null ? '–' : uncovered ? adminPass : '••••••••'}
        {adminPass !== null && (
          <button
            type="button"
            className={`text-button ${styles.uncover}`}
            aria-pressed={uncovered}
            aria-label={`Show the password of ${name}`}
            onClick={() => setUncovered(!uncovered)}
          >
            {uncovered ? 'Hide' : 'Show'}
          </button>
        )}
      </Line>
      <Line term="Connect with" copied={command} machine={name}>
        {command ?? '–'}
      </Line>
    </dl>
  )
}

interface LineProps {
  term: string
  /** Text for the copy button; null hides the button. */
  copied: string | null
  machine: string
  children: ReactNode
}

const Line = ({ term, copied, machine, children }: LineProps) => (
  <div className={styles.line}>
    <dt>{term}</dt>
    <dd>
      <span className={`mono ${styles.value}`}>{children}</span>
      {copied !== null && <CopyButton text={copied} label={`Copy the ${term.toLowerCase()} of ${machine}`} />}
    </dd>
  </div>
)

/** Returns the command that connects to a machine from the user's own computer; null while it has no address. */
export function connectCommand(machine: Pick<Machine, 'osType' | 'publicIp' | 'adminUsername'>): string | null {
  if (machine.publicIp === null) return null
  return machine.osType === 'Windows'
    ? `mstsc /v:${machine.publicIp}`
    : `ssh ${machine.adminUsername}@${machine.publicIp}`
}
