import { Button } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import styles from './ConnectionBar.module.css'

const touched = new Set<Element>()
addEventListener('input', ({ target }) => target instanceof Element && void touched.add(target), { capture: true })

const hasUnsavedInput = (): boolean =>
  document.querySelector('dialog[open], [role=dialog]') !== null || [...touched].some((field) => field.isConnected)

/**
 * Session storage key of the version for which the page was reloaded. It is reloaded once per version, because servers
 * of both versions could answer alternately.
 */
const LOADED_FOR = 'loaded-for'

/**
 * Announces a new version. Without unsaved input, the tab reloads itself while it is hidden or on the next navigation.
 */
export function VersionBar({ version }: { version: string }) {
  const { href } = useLocation()
  const shownAt = useRef(href)
  useEffect(() => {
    const loadUnseen = () => {
      if (document.visibilityState === 'hidden' && !hasUnsavedInput()) loadOnce(version)
    }
    loadUnseen()
    document.addEventListener('visibilitychange', loadUnseen)
    return () => document.removeEventListener('visibilitychange', loadUnseen)
  }, [version])
  useEffect(() => {
    if (href === shownAt.current) return
    shownAt.current = href
    if (!hasUnsavedInput()) loadOnce(version)
  }, [href, version])
  return (
    <output className={`${styles.bar} ${styles.news} no-print`}>
      A new version is available.{' '}
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
