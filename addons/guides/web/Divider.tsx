import type { KeyboardEvent, PointerEvent } from 'react'
import styles from './Guide.module.css'
import { MAX_WIDTH, MIN_WIDTH, type PanelWidth } from './usePanelWidth.ts'

const STEP = 16

/** Changes the width of the guide by dragging, and by the arrow keys. */
export function Divider({ width }: { width: PanelWidth }) {
  const keys: Readonly<Record<string, number>> = {
    ArrowLeft: width.value - STEP,
    ArrowRight: width.value + STEP,
    Home: MIN_WIDTH,
    End: MAX_WIDTH,
  }
  const press = (event: KeyboardEvent) => {
    const next = keys[event.key]
    if (next === undefined) return
    event.preventDefault()
    width.set(next)
  }
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (event.buttons === 1 && event.currentTarget.hasPointerCapture(event.pointerId)) width.set(event.clientX)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a separator with a value is interactive
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- hr has no value
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the guide"
      aria-valuenow={width.value}
      aria-valuemin={MIN_WIDTH}
      aria-valuemax={MAX_WIDTH}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as above
      tabIndex={0}
      className={styles.divider}
      onKeyDown={press}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={drag}
    />
  )
}
