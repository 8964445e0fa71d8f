import type { Terminal } from '@xterm/xterm'

/** Returns true for the line of a shell that waits for a command. */
export const isPrompt = (line: string): boolean => /[$#%>❯]\s*$/.test(line)

/** Returns true while the cursor stands behind a prompt: somebody can type. */
export const showsPrompt = ({ buffer: { active } }: Terminal): boolean =>
  isPrompt(active.getLine(active.baseY + active.cursorY)?.translateToString() ?? '')
