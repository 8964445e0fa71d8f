import { useRef } from 'react'
import type { DesktopOffer } from '../../contract/remote.ts'
import styles from '../Remote.module.css'
import own from './Desktop.module.css'
import { DesktopEnding } from './DesktopEnding.tsx'
import { DesktopKeys } from './DesktopKeys.tsx'
import { Picture } from './Picture.tsx'
import { Watchers } from '../Watchers.tsx'
import { useDesktop } from './useDesktop.ts'

export { DesktopView } from './DesktopView.tsx'

interface DesktopProps {
  offer: DesktopOffer
  reconnect: (as?: { readonly account: string; readonly password: string }) => void
  leave: (() => void) | null
  usable: () => void
}

export default function Desktop({ offer, reconnect, leave, usable }: DesktopProps) {
  const container = useRef<HTMLElement>(null)
  const bar = useRef<HTMLDivElement>(null)
  const place = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const desktop = useDesktop(offer, { place, canvas, field, bar }, usable)
  const { state } = desktop
  const label = { connecting: 'Connecting...', open: `Connected as ${offer.account}`, ended: 'Ended' }[state.kind]
  return (
    <section ref={container} className={own.desktop} aria-label={`Desktop of ${offer.machine}`}>
      <div ref={bar} className={own.bar}>
        <output className={styles.state} data-state={state.kind}>
          {label}
        </output>
        {state.kind === 'open' && <DesktopKeys desktop={desktop} whole={container} field={field} />}
        {state.kind === 'open' && desktop.watching !== null && (
          <Watchers watchers={desktop.watchers} watching={desktop.watching} answer={desktop.answer} />
        )}
      </div>
      <div ref={place} className={own.place} hidden={state.kind === 'ended'}>
        <Picture
          machine={offer.machine}
          canvas={canvas}
          field={field}
          pointer={desktop.isElsewhere ? desktop.pointer : null}
        />
      </div>
      {state.kind === 'ended' && <DesktopEnding offer={offer} ended={state} reconnect={reconnect} leave={leave} />}
    </section>
  )
}
