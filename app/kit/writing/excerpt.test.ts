import { describe, expect, test } from 'vitest'
import fc from '#tests/support/fast-check.ts'
import { EXCERPT_MAX, excerptOf } from './excerpt.server.ts'

describe('an excerpt', () => {
  test.each([
    ['2024. A good year for raises', '2024. A good year for raises'],
    ['5. May was the last day', '5. May was the last day'],
    ['3) third\n4) fourth', '3) third 4) fourth'],
    ['1. one\n2. two', 'one two'],
    ['AT&amp;T is hiring', 'AT&T is hiring'],
    ['a &lt;b&gt; &#x2013; &nbsp;c &unknown; `&amp;`', 'a <b> – c &unknown; &amp;'],
    ['`**kwargs` and `a|b` and `__init__`', '**kwargs and a|b and __init__'],
    ['```\n__init__(**kwargs) | 2\n```', '__init__(**kwargs) | 2'],
    ['either x|y, or a 5* hotel, or `', 'either x|y, or a 5* hotel, or `'],
    ['it is C:\\Users\\dana and 2**10', 'it is C:\\Users\\dana and 2**10'],
    ['[x](javascript:alert(1)), [y](https://a.example) and [link]', 'x, y and [link]'],
    ['1. FC Berlin is hiring', '1. FC Berlin is hiring'],
    ['&#x202e;gpj.exe &#0; &#xffff;', 'gpj.exe \ufffd \ufffd'],
    ['Plain words.', 'Plain words.'],
    ['# Pay\n\nIt is **low** and _late_.', 'Pay It is low and late.'],
    ['> quoted\n> twice\n\nanswer', 'quoted twice answer'],
    ['- one\n- two\n  1. three', 'one two three'],
    ['see [the study](https://a.example/b_(c) "t") now', 'see the study now'],
    ['It is true, [see](https://a.example).', 'It is true, see.'],
    ['![a chart](https://a.example/c.png)', 'a chart'],
    ['[![chart](https://a.example/c.png)](https://a.example)', 'chart'],
    ['<https://a.example> and https://b.example', 'https://a.example and https://b.example'],
    ['[a][1] b\n\n[1]: https://a.example', 'a b'],
    ['```js\nlet snake_case = 1\n```\nafter', 'let snake_case = 1 after'],
    ['| a | b |\n|---|:-:|\n| 1 | 2 |', 'a b 1 2'],
    ['a\n\n---\n\nb ~~c~~ `d`', 'a b c d'],
    ['2 * 3 is 6, \\*not\\* bold, snake_case_name', '2 * 3 is 6, *not* bold, snake_case_name'],
    ['<b>x</b> & "y"', '<b>x</b> & "y"'],
    ['', ''],
    ['---', ''],
  ])('an excerpt of %j is %j', (text, excerpt) => {
    expect(excerptOf(text)).toBe(excerpt)
  })

  test('an excerpt is cut after a word', () => {
    expect(excerptOf('one two three four', 12)).toBe('one two…')
    expect(excerptOf('one two, three four', 9)).toBe('one two…')
    expect(excerptOf('one two three', 13)).toBe('one two three')
    expect(excerptOf('a'.repeat(300))).toBe(`${'a'.repeat(EXCERPT_MAX - 1)}…`)
  })

  test.each(['😀', '🇩🇪', '👩\u200d💻', 'क्षि', 'x\u0323\u0301'])(
    'an excerpt cuts no %s in two',
    (letter) => {
      const room = Math.floor((EXCERPT_MAX - 1) / letter.length)
      expect(excerptOf(letter.repeat(220))).toBe(`${letter.repeat(room)}…`)
    },
  )

  test('an excerpt says that there’s more, even if the beginning has little text', () => {
    expect(excerptOf(`short\n${'\n'.repeat(5_000)}more`)).toBe('short…')
  })

  test('an excerpt is one line within its length, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (text) => {
        const excerpt = excerptOf(text, 50)
        expect(excerpt.length).toBeLessThanOrEqual(50)
        expect(excerpt).not.toMatch(/\n/)
      }),
    )
  })

  test.each([
    '[',
    '[a](',
    '[a]((',
    '![',
    '<http://',
    '\\',
    '_a',
    '* ',
    '> ',
    '| -',
    '- ',
    '`',
    ' #',
    '\uf000',
  ])('an excerpt of 20,000 characters of %j takes moments', (part) => {
    const before = process.cpuUsage()
    excerptOf(part.repeat(20_000 / part.length))
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1_000)
  })
})
