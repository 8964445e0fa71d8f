import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { routes } from '#src/navigation/routes.ts'
import { MenuIcon } from './MenuIcon.tsx'

test('has a distinct icon for each screen of the menu', () => {
  const paths = routes.filter(({ menu }) => menu !== null).map(({ path }) => path)
  expect(paths.length).toBeGreaterThan(20)
  const drawing = (path: string) => renderToStaticMarkup(<MenuIcon path={path} />)
  const dot = drawing('/no-such-screen')
  expect(paths.filter((path) => drawing(path) === dot)).toEqual([])
  expect(new Set(paths.map(drawing)).size).toBe(paths.length)
})
