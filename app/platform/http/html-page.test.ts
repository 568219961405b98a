import { expect, test } from 'vitest'
import { parsePage } from './public-fetch.server.ts'

test('a page is read as browsers read it', () => {
  const $ = parsePage('<table><tr><td>Name<td>Acme<p>one<p>two</table><img><br>')
  expect($('td').length).toBe(2)
  expect($('td p').length).toBe(2)
})

test('a page of a million nested tags is read only to a sane depth', () => {
  const $ = parsePage(`<link rel="icon" href="/a.png">${'<div>'.repeat(1_000_000)}<h1>Deep</h1>`)
  expect($('link').attr('href')).toBe('/a.png')
  expect($('div').length).toBe(500)
  expect($('h1').length).toBe(0)
})

test('many sibling tags don’t count as depth', () => {
  const $ = parsePage('<p>word<br><img src="a">'.repeat(3_000))
  expect($('p').length).toBe(3_000)
})
