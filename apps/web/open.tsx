import { createRoot, hydrateRoot } from 'react-dom/client'
import { modules } from '@trainyard/modules/web.ts'
import { OpenPage } from '@trainyard/platform/web/public/OpenPage.tsx'
import { loadScreen } from '@trainyard/platform/web/shell/load.ts'
import type { OpenScreen } from '@trainyard/platform/web/shell/module.ts'

const fieldsIn = (root: HTMLElement) => root.querySelectorAll<HTMLInputElement>('input[name]')

/**
 * Hydrates an open screen, which the build has rendered into the page; in development, renders it. React replaces a page
 * that a password manager or another extension has changed: what the user typed meanwhile is kept.
 */
export async function showOpenScreen(screen: OpenScreen, root: HTMLElement): Promise<void> {
  const { default: Content } = await loadScreen(modules, screen, null)
  const page = (
    <OpenPage>
      <Content />
    </OpenPage>
  )
  if (import.meta.env.DEV) return createRoot(root).render(page)
  const typed = new Map(Array.from(fieldsIn(root), ({ name, value }) => [name, value]))
  hydrateRoot(root, page, {
    onRecoverableError(error) {
      reportError(error)
      for (const field of fieldsIn(root)) field.value ||= typed.get(field.name) ?? ''
    },
  })
}
