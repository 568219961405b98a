import { expect, test } from 'vitest'
import { filledText, placeholderProblem, withTemplate } from './note-to-author.ts'

const VALUES = { reason: 'Spam or advertising', company: 'Erin & Sons', title: 'Fridays {off}' }

test('placeholders are filled even twice, and their values aren’t filled again', () => {
  expect(filledText('{reason}: {title}, {title}. About {company}.', VALUES)).toEqual({
    text: 'Spam or advertising: Fridays {off}, Fridays {off}. About Erin & Sons.',
  })
  expect(filledText('Nothing to fill', VALUES)).toEqual({ text: 'Nothing to fill' })
})

test.each([
  ['Dear {compny}', '“{compny}” isn’t a placeholder. Use {reason}, {company} and {title}.'],
  ['Dear { company }', '“{ company }” isn’t a placeholder. Use {reason}, {company} and {title}.'],
  ['Dear {}', '“{}” isn’t a placeholder. Use {reason}, {company} and {title}.'],
  ['Dear {company', 'A “{” has no closing “}”'],
  ['Dear {{company}', 'A “{” has no closing “}”'],
  ['Dear {company}}', 'A “}” has no “{” before it'],
  ['company} and {title}', 'A “}” has no “{” before it'],
  ['{__proto__}', '“{__proto__}” isn’t a placeholder. Use {reason}, {company} and {title}.'],
])('%s is refused with a sentence, and never half filled', (text, problem) => {
  expect(placeholderProblem(text)).toBe(problem)
  expect(filledText(text, VALUES)).toEqual({ problem })
})

test('a template that names a company is refused for a post about none', () => {
  expect(filledText('{reason}, {company}', { ...VALUES, company: null })).toEqual({
    problem: 'This post has no company for “{company}”',
  })
})

test('a text of nothing but braces is read in linear time', () => {
  expect(placeholderProblem('{'.repeat(100_000))).toBe('A “{” has no closing “}”')
})

test('a template follows what the moderator typed and replaces the previous template', () => {
  const templates = [{ body: 'No adverts, please.' }, { body: 'No names, please.' }]
  const choose = (note: string) => withTemplate(note, 'No names, please.', templates)
  expect(['', ' ', 'No adverts, please.', 'Dear author,\n'].map(choose)).toEqual([
    'No names, please.',
    'No names, please.',
    'No names, please.',
    'Dear author,\n\nNo names, please.',
  ])
})
