import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { modules } from '@trainyard/modules/web.ts'
import { queries } from '@trainyard/platform/web/api/cache.ts'
import { connectRefetches } from '@trainyard/platform/web/api/queries.ts'
import { readSession } from '@trainyard/platform/web/session/session.ts'
import { loadSlots } from '@trainyard/platform/web/shell/load.ts'
import { createAppRouter } from '@trainyard/platform/web/shell/router.tsx'
import { shellSearch } from '@trainyard/platform/web/shell/slots.ts'
import { followSystem, useScheme } from '@trainyard/platform/web/theme/scheme.ts'
import { theme, variables } from '@trainyard/platform/web/theme/theme.ts'
import { NoticeBoard } from '@trainyard/platform/web/ui/NoticeBoard.tsx'
import '@mantine/core/styles/baseline.layer.css'
import '@mantine/core/styles/default-css-variables.layer.css'
import '@mantine/core/styles/UnstyledButton.layer.css'
import '@mantine/core/styles/Loader.layer.css'
import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Button.layer.css'
import '@trainyard/platform/web/theme/tokens.css'
import '@trainyard/platform/web/theme/base.css'
import '@trainyard/platform/web/theme/pieces.css'
import '@trainyard/platform/web/theme/controls.css'

const router = createAppRouter(modules)
connectRefetches(modules.map(({ refetches = {} }) => refetches))

function App() {
  const [scheme] = useScheme()
  return (
    <MantineProvider theme={theme} forceColorScheme={scheme} cssVariablesResolver={variables}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
        <NoticeBoard />
      </QueryClientProvider>
    </MantineProvider>
  )
}

followSystem()
// A key during text composition (Japanese, Hindi, ...) belongs to the input method: its Enter must pick no entry. Safari
// reports the Enter that ends a composition only by its key code:
// https://www.w3.org/TR/uievents/#determine-keydown-keyup-keyCode
addEventListener(
  'keydown',
  (event) => {
    // oxlint-disable-next-line typescript/no-deprecated -- no other property tells it
    if (event.isComposing || event.keyCode === 229) event.stopPropagation()
  },
  { capture: true },
)
// A logout in another tab also ends this tab's session.
addEventListener('storage', () => {
  if (!readSession()) location.assign('/login')
})

/** Renders the screen. A transition renders in parts, so that the page stays responsive. */
function render(): void {
  const root = createRoot(document.getElementById('root')!)
  startTransition(() =>
    root.render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  )
}
// The first render includes the screen, whose code the router loads, and the search.
Promise.all([router.load(), loadSlots(modules, [shellSearch], readSession()?.role ?? 'user')]).then(render, render)
