import { type FormEvent, useRef } from 'react'
import type { DesktopOffer } from '../../contract/remote.ts'
import { Ending } from '../Ending.tsx'
import styles from '../Remote.module.css'
import own from './Desktop.module.css'
import type { DesktopState } from './useDesktop.ts'

interface DesktopEndingProps {
  offer: DesktopOffer
  ended: Extract<DesktopState, { kind: 'ended' }>
  reconnect: (as?: { readonly account: string; readonly password: string }) => void
  leave: (() => void) | null
}

export function DesktopEnding({ offer, ended, reconnect, leave }: DesktopEndingProps) {
  const account = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const signIn = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    reconnect({ account: account.current!.value, password: password.current!.value })
  }
  const others = (
    <>
      {leave !== null && (
        <button type="button" className={own.second} onClick={leave}>
          Back to the terminal
        </button>
      )}
      <button type="button" className={own.second} onClick={() => saveFile(offer.file)}>
        Save {offer.file.name}
      </button>
    </>
  )
  if (!ended.signIn) {
    return (
      <Ending machine={offer.machine} label="Reconnect" reconnect={() => reconnect()} others={others}>
        <p role="alert">{ended.sentence}</p>
      </Ending>
    )
  }
  return (
    <div className={styles.ending}>
      <p role="alert">{ended.sentence}</p>
      <form className={own.signIn} onSubmit={signIn}>
        <label>
          Account
          <input ref={account} defaultValue={offer.account} autoComplete="off" required />
        </label>
        <label>
          Password
          <input ref={password} type="password" autoComplete="off" required />
        </label>
        <button className={styles.primary}>Sign in</button>
      </form>
      {others}
    </div>
  )
}

function saveFile({ name, text }: DesktopOffer['file']): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/x-rdp' }))
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  URL.revokeObjectURL(url)
}
