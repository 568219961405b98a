import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { stillPart } from './still-part.tsx'

const Count = ({ n }: { n: number }) => <b>{n}</b>

test('what the server has loaded stands in its page', async () => {
  const Part = stillPart(async () => Count, <i>Loading</i>)
  await Part.load()
  expect(renderToString(<Part n={17} />)).toContain('<b>17</b>')
})

test('its code is asked for once, and at once when it is wanted', async () => {
  const load = vi.fn(async () => Count)
  const Part = stillPart(load, <i>Loading</i>)
  expect(load).not.toHaveBeenCalled()
  await Part.load()
  await Part.load()
  expect(load).toHaveBeenCalledOnce()
})
