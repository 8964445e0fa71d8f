import type { Picture } from './picture.ts'

export interface DesktopContent {
  readonly name: string
  notes: string
  readonly clicks: { readonly x: number; readonly y: number }[]
  moving: boolean
}

const SWITCH = { x: 24, y: 24, width: 132, height: 32 } as const

const COLOUR = {
  ground: 0x1a8b,
  bar: 0x0926,
  paper: 0xffff,
  ink: 0x10a2,
  light: 0xffff,
  mark: 0xfb20,
  ball: 0xfea0,
} as const
const LINE = 20
const CELL = 12
const MAX_MARKS = 50

export const emptyDesktop = (name: string): DesktopContent => ({ name, notes: '', clicks: [], moving: false })

export function click(desktop: DesktopContent, x: number, y: number): void {
  const inside = x >= SWITCH.x && x < SWITCH.x + SWITCH.width && y >= SWITCH.y && y < SWITCH.y + SWITCH.height
  if (inside) desktop.moving = !desktop.moving
  else desktop.clicks.push({ x, y })
  if (desktop.clicks.length > MAX_MARKS) desktop.clicks.shift()
}

/** @param timeMs time in milliseconds, which determines the position of the ball */
export function draw(desktop: DesktopContent, picture: Picture, timeMs: number): void {
  const { width, height } = picture
  picture.fill(0, 0, width, height - 40, COLOUR.ground)
  picture.fill(0, height - 40, width, 40, COLOUR.bar)
  picture.write(12, height - 28, `${desktop.name} - an emulated desktop`, COLOUR.light)
  picture.fill(SWITCH.x, SWITCH.y, SWITCH.width, SWITCH.height, COLOUR.bar)
  picture.write(SWITCH.x + 10, SWITCH.y + 9, desktop.moving ? 'Hold still' : 'Move', COLOUR.light)
  const sheet = { x: 24, y: 72, width: Math.max(200, width - 48), height: Math.max(80, height - 136) }
  picture.fill(sheet.x, sheet.y, sheet.width, 28, COLOUR.bar)
  picture.write(sheet.x + 10, sheet.y + 7, 'Notes', COLOUR.light)
  picture.fill(sheet.x, sheet.y + 28, sheet.width, sheet.height - 28, COLOUR.paper)
  const columns = Math.floor((sheet.width - 20) / CELL)
  const lines = desktop.notes.split('\n').flatMap((line) => line.match(new RegExp(`.{1,${columns}}`, 'gu')) ?? [''])
  const visibleLines = lines.slice(-Math.floor((sheet.height - 48) / LINE))
  visibleLines.forEach((line, i) => picture.write(sheet.x + 10, sheet.y + 40 + LINE * i, line, COLOUR.ink))
  const last = visibleLines.at(-1) ?? ''
  picture.fill(sheet.x + 10 + CELL * last.length, sheet.y + 40 + LINE * (visibleLines.length - 1), 2, 16, COLOUR.ink)
  for (const { x, y } of desktop.clicks) picture.fill(x - 4, y - 4, 8, 8, COLOUR.mark)
  if (desktop.moving) {
    const distance = Math.max(1, width - 280)
    const position = Math.floor(timeMs / 4) % (2 * distance)
    picture.fill(180 + (position < distance ? position : 2 * distance - position), SWITCH.y, 48, 32, COLOUR.ball)
  }
}
