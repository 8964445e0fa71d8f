import { useEffect, useRef } from 'react'
import styles from './Remote.module.css'
import type { Standing } from './useTerminal.ts'

interface EndingProps {
  machine: string | null
  standing: Standing
  reconnect: () => Promise<void>
}

/** What the page says where there is no terminal, or none any more, and the way on from there. */
export function Ending({ machine, standing, reconnect }: EndingProps) {
  if (machine === null) {
    return (
      <section className={styles.ending}>
        <p>
          This address names no machine. Open one with Web-based access in the{' '}
          <a href="/vm/vmdetails">Virtual Lab Console</a>.
        </p>
      </section>
    )
  }
  if (standing.kind === 'file') return <RdpFile machine={machine} name={standing.name} text={standing.text} />
  if (standing.kind === 'waiting' || standing.kind === 'ended') {
    const ended = standing.kind === 'ended'
    return (
      <section className={styles.ending}>
        <p role={ended ? 'alert' : undefined}>
          {ended ? standing.sentence : `This tab is not connected to ${machine}.`}
        </p>
        <Onward label={ended ? 'Reconnect' : 'Connect'} go={() => void reconnect()} />
      </section>
    )
  }
  return null
}

/** Takes the focus: there is nothing else to be done here. */
function Onward({ label, go }: { label: string; go: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [])
  return (
    <button ref={button} type="button" className={styles.primary} onClick={go}>
      {label}
    </button>
  )
}

function RdpFile({ machine, name, text }: { machine: string; name: string; text: string }) {
  const save = () => {
    const url = URL.createObjectURL(new Blob([text], { type: 'application/x-rdp' }))
    Object.assign(document.createElement('a'), { href: url, download: name }).click()
    URL.revokeObjectURL(url)
  }
  return (
    <section className={styles.file}>
      <h2>{machine} is a Windows machine</h2>
      <p>
        Your computer&apos;s own remote desktop opens it: save this file, open it, and sign in with the password that
        the Virtual Lab Console shows.
      </p>
      <Onward label={`Save ${name}`} go={save} />
    </section>
  )
}
