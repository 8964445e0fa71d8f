import { createRoot, hydrateRoot } from 'react-dom/client'
import { modules } from '@trainyard/modules/web.ts'
import { OpenPage } from '@trainyard/platform/web/public/OpenPage.tsx'
import { loadScreen } from '@trainyard/platform/web/shell/load.ts'
import type { OpenScreen } from '@trainyard/platform/web/shell/module.ts'

/** Hydrates an open screen, which the build has rendered into the page; in development, renders it. */
export async function showOpenScreen(screen: OpenScreen, root: HTMLElement): Promise<void> {
  const { default: Content } = await loadScreen(modules, screen, null)
  const page = (
    <OpenPage>
      <Content />
    </OpenPage>
  )
  if (import.meta.env.DEV) createRoot(root).render(page)
  else hydrateRoot(root, page)
}
