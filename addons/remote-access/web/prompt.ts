import type { Terminal } from '@xterm/xterm'

export const isPrompt = (line: string): boolean => /[$#%>❯]\s*$/.test(line)

export const showsPrompt = ({ buffer: { active } }: Terminal): boolean =>
  isPrompt(active.getLine(active.baseY + active.cursorY)?.translateToString() ?? '')
