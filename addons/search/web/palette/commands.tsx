import { lazy } from 'react'
import type { CommandsOf, WebModule } from '@trainyard/platform/web/shell/module.ts'

const Shortcuts = lazy(() => import('./Shortcuts.tsx'))

const own: CommandsOf = ({ openDialog }) => [
  {
    id: 'shortcuts',
    order: 60,
    label: 'Keyboard shortcuts',
    hint: '?',
    go: () => openDialog((close) => <Shortcuts close={close} />),
  },
]

let loading: Promise<CommandsOf> | null = null

/** Loads the commands of all modules, once. */
export const loadCommands = (modules: readonly WebModule[]): Promise<CommandsOf> => (loading ??= load(modules))

async function load(modules: readonly WebModule[]): Promise<CommandsOf> {
  const loaded = await Promise.all(modules.flatMap(({ commands }) => (commands ? [commands()] : [])))
  const all = [...loaded.map((module) => module.default), own]
  return (offered) => all.flatMap((commandsOf) => commandsOf(offered)).toSorted((a, b) => a.order - b.order)
}

/** Returns the text to search for: 'open asha' searches for asha. */
export const searchedText = (text: string): string => text.replace(/^(?:open|resend)\s+/i, '')
