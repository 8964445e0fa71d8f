import { type RefObject, useRef } from 'react'
import { createPortal } from 'react-dom'
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
  /** Textarea that takes the typed keys. */
  field: RefObject<HTMLTextAreaElement | null>
  /** Elements of the page in its bar and below it. */
  bar: HTMLElement
  strip: HTMLElement
  setBarHidden: (isHidden: boolean) => void
}

export default function Desktop({ offer, reconnect, leave, usable, field, bar, strip, setBarHidden }: DesktopProps) {
  const place = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const desktop = useDesktop(offer, { place, canvas, field, bar, setBarHidden }, usable)
  const { state } = desktop
  const label = { connecting: 'Connecting...', open: `Connected as ${offer.account}`, ended: 'Ended' }[state.kind]
  return (
    <section className={own.desktop} aria-label={`Desktop of ${offer.machine}`}>
      {createPortal(
        <>
          <output className={styles.state} data-state={state.kind}>
            {label}
          </output>
          {state.kind === 'open' && <DesktopKeys desktop={desktop} field={field} />}
        </>,
        bar,
      )}
      {state.kind === 'open' &&
        desktop.watching !== null &&
        createPortal(
          // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- the clicks are those of its buttons
          <div onClick={({ detail }) => detail > 0 && field.current?.focus({ preventScroll: true })}>
            <Watchers watchers={desktop.watchers} watching={desktop.watching} answer={desktop.answer} />
          </div>,
          strip,
        )}
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
