import { Button } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { somethingIsTyped } from './typed.ts'
import styles from './ConnectionBar.module.css'

/** The version that this tab has loaded itself for: where portals of two versions answer in turns, it does so once. */
const LOADED_FOR = 'loaded-for'

/**
 * Tells that the portal serves a new version of the web app. Where nothing was typed, the tab loads it by itself: while
 * nobody looks at it, or on the way to another screen.
 */
export function VersionBar({ version }: { version: string }) {
  const { href } = useLocation()
  const shownAt = useRef(href)
  useEffect(() => {
    const loadUnseen = () => {
      if (document.visibilityState === 'hidden' && !somethingIsTyped()) loadOnce(version)
    }
    loadUnseen()
    document.addEventListener('visibilitychange', loadUnseen)
    return () => document.removeEventListener('visibilitychange', loadUnseen)
  }, [version])
  useEffect(() => {
    if (href === shownAt.current) return
    shownAt.current = href
    if (!somethingIsTyped()) loadOnce(version)
  }, [href, version])
  return (
    <output className={`${styles.bar} no-print`}>
      A new version is here.{' '}
      <Button size="compact-sm" variant="default" onClick={() => location.reload()}>
        Reload
      </Button>
    </output>
  )
}

function loadOnce(version: string): void {
  if (sessionStorage.getItem(LOADED_FOR) === version) return
  sessionStorage.setItem(LOADED_FOR, version)
  location.reload()
}
