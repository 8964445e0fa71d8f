import { type RefObject, useEffect, useRef } from 'react'
import type { PointerPosition } from '../../contract/remote.ts'
import own from './Desktop.module.css'

interface PictureProps {
  machine: string
  canvas: RefObject<HTMLCanvasElement | null>
  field: RefObject<HTMLTextAreaElement | null>
  mayType?: boolean
  pointer: PointerPosition | null
}

export const Picture = ({ machine, canvas, field, mayType = true, pointer }: PictureProps) => (
  <>
    <canvas ref={canvas} className={own.canvas} aria-hidden />
    {pointer !== null && <Pointer canvas={canvas} at={pointer} />}
    <textarea
      ref={field}
      className={own.field}
      hidden={!mayType}
      aria-label={`Keyboard of ${machine}. Press Control, Alt and Escape together to leave.`}
      autoCapitalize="off"
      autoComplete="off"
      spellCheck={false}
    />
  </>
)

/** Draws the pointer of the other participant. Machines send only the shape of a pointer, not its position. */
function Pointer({ canvas, at }: { canvas: RefObject<HTMLCanvasElement | null>; at: PointerPosition }) {
  const arrow = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    if (canvas.current === null || arrow.current === null) return
    const { width, height, clientWidth, clientHeight, offsetLeft, offsetTop } = canvas.current
    arrow.current.style.left = `${offsetLeft + (at.x * clientWidth) / width}px`
    arrow.current.style.top = `${offsetTop + (at.y * clientHeight) / height}px`
  }, [canvas, at])
  return <span ref={arrow} className={own.pointer} aria-hidden />
}
