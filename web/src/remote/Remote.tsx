import { useEffect } from 'react'
import { Mark } from '#src/shell/Logo.tsx'
import { NoticeBoard } from '#src/ui/NoticeBoard.tsx'
import type { Asked } from './address.ts'
import { Ending } from './Ending.tsx'
import { Keys } from './Keys.tsx'
import styles from './Remote.module.css'
import { type Standing, useTerminal } from './useTerminal.ts'

/** The lab remote-access page: one machine's terminal, as large as the window. */
export function Remote({ asked }: { asked: Asked }) {
  const { machine } = asked
  const { place, standing, selected, reconnect, press, selection, paste } = useTerminal(asked)
  const state = stateOf(standing)
  useEffect(() => {
    document.title = machine === null ? 'Remote access · Trainyard' : `${machine} · ${state}`
  }, [machine, state])
  return (
    <div className={styles.page}>
      <header className={styles.bar}>
        <Mark size={24} />
        <h1 className={styles.machine}>{machine ?? 'Remote access'}</h1>
        <output className={styles.state} data-state={standing.kind}>
          {machine !== null && state}
        </output>
        {standing.kind === 'open' && <Keys canCopy={selected} press={press} selection={selection} paste={paste} />}
      </header>
      <main className={styles.main}>
        {machine !== null && standing.kind !== 'file' && (
          <section className={styles.terminal} aria-label={`Terminal of ${machine}`}>
            <div ref={place} className={styles.screen} />
          </section>
        )}
        <Ending machine={machine} standing={standing} reconnect={reconnect} />
      </main>
      <NoticeBoard />
    </div>
  )
}

function stateOf(standing: Standing): string {
  switch (standing.kind) {
    case 'waiting':
      return 'Not connected'
    case 'connecting':
      return 'Connecting...'
    case 'open':
      return `Connected as ${standing.account}`
    case 'file':
      return 'Windows'
    case 'ended':
      return 'Ended'
  }
}
