import { useState } from 'react'

export const MIN_WIDTH = 320
export const MAX_WIDTH = 560
const KEY = 'guide-width'

const within = (width: number) => Math.round(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width)))

/** Width of the guide in pixels, which the browser keeps. */
export function usePanelWidth() {
  const [value, setValue] = useState(() => within(Number(localStorage.getItem(KEY) ?? 400) || 400))
  return {
    value,
    set(width: number) {
      const next = within(width)
      setValue(next)
      localStorage.setItem(KEY, String(next))
    },
  }
}
export type PanelWidth = ReturnType<typeof usePanelWidth>
