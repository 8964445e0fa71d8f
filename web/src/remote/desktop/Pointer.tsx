import { type RefObject, useEffect, useRef } from 'react'
import type { PointerPosition } from '@trainyard/contract/calls/remote.ts'
import own from './Desktop.module.css'

interface PointerProps {
  canvas: RefObject<HTMLCanvasElement | null>
  at: PointerPosition | null
}

/**
 * Pointer of the other participant. Machines send only the shape of a pointer, so each side draws the other's position.
 */
export function Pointer({ canvas, at }: PointerProps) {
  const arrow = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    if (at === null || canvas.current === null || arrow.current === null) return
    const { width, height, clientWidth, clientHeight, offsetLeft, offsetTop } = canvas.current
    arrow.current.style.left = `${offsetLeft + (at.x * clientWidth) / width}px`
    arrow.current.style.top = `${offsetTop + (at.y * clientHeight) / height}px`
  }, [canvas, at])
  return at === null ? null : <span ref={arrow} className={own.pointer} aria-hidden />
}
