import { Button } from '@mantine/core'
import { isMonth, monthAfter } from './month.ts'

interface MonthTurnProps {
  shown: string
  present: string
  turn: (month: string) => void
}

export const MonthTurn = ({ shown, present, turn }: MonthTurnProps) => {
  const [before, after] = [monthAfter(shown, -1), monthAfter(shown, 1)]
  return (
    <Button.Group>
      <Button variant="default" px="sm" disabled={!isMonth(before)} onClick={() => turn(before)}>
        Previous month
      </Button>
      <Button variant="default" px="sm" disabled={shown === present} onClick={() => turn(present)}>
        Today
      </Button>
      <Button variant="default" px="sm" disabled={!isMonth(after)} onClick={() => turn(after)}>
        Next month
      </Button>
    </Button.Group>
  )
}
