import type { Terminal } from '@xterm/xterm'

/** Returns true if the line is a shell prompt. */
export const isPrompt = (line: string): boolean => /[$#%>❯]\s*$/.test(line)

/** Returns true while the cursor is behind a prompt. */
export const showsPrompt = ({ buffer: { active } }: Terminal): boolean =>
  isPrompt(active.getLine(active.baseY + active.cursorY)?.translateToString() ?? '')
