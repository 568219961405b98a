import { describe, expect, test } from 'vitest'
import fc from '#tests/support/fast-check.ts'
import { fill, HOSTILE_MARKDOWN } from './hostile-markdown.fixture.ts'
import { isBlankHtml, markdownHtml } from './markdown.ts'

const REL = 'rel="nofollow ugc noopener"'

describe('markdown becomes HTML', () => {
  test.each([
    ['paragraphs and breaks', 'a\nb  \nc\n\nd', '<p>a\nb<br>\nc</p>\n<p>d</p>'],
    [
      'emphasis',
      '*a* **b** ~~c~~ `d`',
      '<p><em>a</em> <strong>b</strong> <del>c</del> <code>d</code></p>',
    ],
    [
      'headings, two steps down',
      '# a\n## b\n### c\n#### d\n###### e',
      '<h3>a</h3>\n<h4>b</h4>\n<h5>c</h5>\n<h6>d</h6>\n<h6>e</h6>',
    ],
    [
      'code without its language',
      '```js onclick=x\na < b\n```',
      '<pre><code>a &lt; b\n</code></pre>',
    ],
    ['quotes', '> a', '<blockquote>\n<p>a</p>\n</blockquote>'],
    ['lists', '- a\n- b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
    ['numbered lists', '3. a', '<ol start="3">\n<li>a</li>\n</ol>'],
    ['a rule below a paragraph', 'a\n---', '<p>a</p>\n<hr>'],
    ['~5 and ~6 as they are', '~5 and ~6', '<p>~5 and ~6</p>'],
    [
      'emphasis where no spaces stand between words',
      '**「昇給」**は来月。**注意：**读完。**연봉(세전)**은 ~~「旧」~~です',
      '<p><strong>「昇給」</strong>は来月。<strong>注意：</strong>读完。<strong>연봉(세전)</strong>은 <del>「旧」</del>です</p>',
    ],
    [
      'entities, but for what is never shown',
      'a &#x202e;gpj.exe&#8203; &ZeroWidthSpace;&shy;b **&#x2066;c** ![&#x202e;d](x) AT&amp;T می&zwnj;خ',
      '<p>a gpj.exe b <strong>c</strong> d AT&amp;T می\u200cخ</p>',
    ],
    [
      'definitions that no link leads to, as text',
      '[Edit]: solved\nat last\n\n> [a]: javascript:x "y"\n\n- [^1]: word\n\n[b]: /b\n\n[c]: https://c.example\n\nsee [b]',
      `<p>[Edit]: solved\nat last</p>\n<blockquote>\n<p>[a]: javascript:x &quot;y&quot;</p>\n</blockquote>\n<ul>\n<li>[^1]: word</li>\n</ul>\n<p>[c]: <a href="https://c.example" ${REL}>https://c.example</a></p>\n<p>see <a href="/b" ${REL}>b</a></p>`,
    ],
  ])('markdown becomes HTML: %s', (_, text, html) => {
    expect(markdownHtml(text)).toBe(html)
  })

  test('a table can have aligned columns and short rows', () => {
    expect(markdownHtml('|a|b|\n|-|-:|\n|1|2|\n|3|').replaceAll('\n', '')).toBe(
      '<table><thead><tr><th>a</th><th align="right">b</th></tr></thead>' +
        '<tbody><tr><td>1</td><td align="right">2</td></tr><tr><td>3</td></tr></tbody></table>',
    )
  })
})

test('a bare email address stays text', () => {
  expect(markdownHtml('ask a@b.example now')).toBe('<p>ask a@b.example now</p>')
})

describe('links', () => {
  test.each([
    [
      'show where they go',
      '[x](https://a.example/b?c&d)',
      `<a href="https://a.example/b?c&amp;d" ${REL}>x</a> <small>(a.example)</small>`,
    ],
    [
      'that show it already say it once',
      '<https://a.example/b>',
      `<a href="https://a.example/b" ${REL}>https://a.example/b</a>`,
    ],
    [
      'cannot lie',
      '[bank.example](http://evil.example)',
      `<a href="http://evil.example" ${REL}>bank.example</a> <small>(evil.example)</small>`,
    ],
    [
      'are found in text',
      'www.a.example',
      `<a href="http://www.a.example" ${REL}>www.a.example</a>`,
    ],
    ['lead to mailboxes', '<a@b.example>', `<a href="mailto:a@b.example" ${REL}>a@b.example</a>`],
    ['lead to our own pages', '[x](/companies/acme)', `<a href="/companies/acme" ${REL}>x</a>`],
    [
      'stand for images',
      '![x](https://a.example/b.png)',
      `<a href="https://a.example/b.png" ${REL}>x</a> <small>(a.example)</small>`,
    ],
    [
      'stand for images without words',
      '![](https://a.example/b.png)',
      `<a href="https://a.example/b.png" ${REL}>https://a.example/b.png</a>`,
    ],
    ['hold no other link', '[![x](https://a.example/b.png)](/c)', `<a href="/c" ${REL}>x</a>`],
    ['have no title', '[x](/a "b")', `<a href="/a" ${REL}>x</a>`],
    ['do not hide their host behind a name', '[x](https://bank.example@evil.example)', 'x'],
    ['do not leave over two slashes', '[x](//evil.example)', 'x'],
    [
      'do not leave over a backslash',
      '[x](/\\evil.example)',
      `<a href="/%5Cevil.example" ${REL}>x</a>`,
    ],
    ['are not relative', '[x](y) [z](?a) [q](#b)', 'x z q'],
    [
      'end before the marks around them',
      '~~https://a.example/b~~, _https://a.example/b_, **https://a.example/c_d!**',
      [
        `<del><a href="https://a.example/b" ${REL}>https://a.example/b</a></del>`,
        `<em><a href="https://a.example/b" ${REL}>https://a.example/b</a></em>`,
        `<strong><a href="https://a.example/c_d" ${REL}>https://a.example/c_d</a>!</strong>`,
      ].join(', '),
    ],
    [
      'end before them at once behind their host, too',
      '~~www.a.example~~ *https://a.example/.~*',
      `<del><a href="http://www.a.example" ${REL}>www.a.example</a></del> <em><a href="https://a.example/" ${REL}>https://a.example/</a>.~</em>`,
    ],
    ...[
      'https://a.example/b_(c)_d?e=[f]&g={h|i}^~j&copy=k#l:~:text=m%20n',
      'https://a.example/100%/%zz/%E4%BB%8A?q=a+b',
      'http://[::1]:3000/b*c',
      'https://a.example/?next=https://b.example/c?d=e',
    ].map((address) => [
      'lead where they were pasted from',
      address,
      `<a href="${address.replaceAll('&', '&amp;')}" ${REL}>${address.replaceAll('&', '&amp;')}</a>`,
    ]),
    [
      'without a label show where they go',
      '[](/b) [&#8203;](/c)',
      `<a href="/b" ${REL}>/b</a> <a href="/c" ${REL}>/c</a>`,
    ],
    ['are not relative behind a scheme', '[x](http:y) [z](https:/evil.example)', 'x z'],
  ])('%s', (_, text, html) => {
    expect(markdownHtml(text)).toBe(`<p>${html}</p>`)
  })
})

describe('a post', () => {
  test.each([
    '&nbsp;',
    '&#8203;',
    '[](x)',
    '![](x)',
    '[&nbsp;](javascript:x)',
    '#',
    '# &#x3164;',
    '>',
    '> -\n> - *',
    '---',
    '```\n```',
    '|&nbsp;|\n|-|',
    '&#x3164;&#x2800;',
    '\\\n&#32;',
  ])('a post of %j says nothing', (text) => {
    expect(isBlankHtml(markdownHtml(text))).toBe(true)
  })

  test.each(['[Edit]: solved', '[](/b)', '2.', '&lt;', '\\#', '`#`', '\\', '-1', '<p>', '😀'])(
    'a post of %j says something',
    (text) => {
      expect(isBlankHtml(markdownHtml(text))).toBe(false)
    },
  )
})

/** The tags of some HTML, as a browser would find them: an unclosed one is a failure too. */
function tagsOf(html: string) {
  const tags = html.match(/<[^>]*>?/g) ?? []
  return tags.map((tag) => {
    const parts = /^<(\/?)([a-z]+[1-6]?)((?: [a-z]+="[^"<>]*")*)>$/.exec(tag)
    if (!parts) throw new Error(`Not a tag: ${tag}`)
    return { isEnd: parts[1] === '/', name: parts[2] ?? '', attributes: parts[3] ?? '' }
  })
}

const ALLOWED = new Set(
  'p br hr em strong del code pre blockquote ul ol li table thead tbody tr th td h3 h4 h5 h6 a small'.split(
    ' ',
  ),
)
const ALLOWED_ATTRIBUTES: Record<string, RegExp> = {
  a: /^ href="(?:https?:\/\/[^"]+|mailto:[^"]+|\/(?!\/)[^"]*)" rel="nofollow ugc noopener"$/i,
  ol: /^(?: start="\d{1,9}")?$/,
  th: /^(?: align="(?:left|right|center)")?$/,
  td: /^(?: align="(?:left|right|center)")?$/,
}

/** Every tag and attribute is on the list, every tag is closed in turn, no link is in a link. */
function expectHarmless(html: string) {
  const open: string[] = []
  const wrong = tagsOf(html).filter(({ isEnd, name, attributes }) => {
    const allowed = isEnd ? /^$/ : (ALLOWED_ATTRIBUTES[name] ?? /^$/)
    const isKnown = ALLOWED.has(name) && allowed.test(attributes)
    if (isEnd) return !isKnown || open.pop() !== name
    const isInLink = name === 'a' && open.includes('a')
    if (name !== 'br' && name !== 'hr') open.push(name)
    return !isKnown || isInLink
  })
  expect({ wrong, open }).toEqual({ wrong: [], open: [] })
}

const SCRIPT = '<script>alert(1)</script>'

describe('nothing that an author writes runs', () => {
  test.each([
    SCRIPT,
    `# ${SCRIPT}`,
    `> ${SCRIPT}`,
    `- ${SCRIPT}`,
    `1. ${SCRIPT}`,
    `*${SCRIPT}*`,
    `\`${SCRIPT}\``,
    `\`\`\`\n${SCRIPT}\n\`\`\``,
    `\`\`\`"><img src=x onerror=alert(1)>\na\n\`\`\``,
    `    ${SCRIPT}`,
    `|${SCRIPT}|\n|-|\n|${SCRIPT}|`,
    `[${SCRIPT}](/a)`,
    `[a](/b "${SCRIPT}")`,
    `[a](/b '" onclick="alert(1)')`,
    `[a](<${SCRIPT}>)`,
    `![${SCRIPT}](https://a.example)`,
    `![" onerror="alert(1)](https://a.example)`,
    `![a](https://a.example/"onerror="alert(1))`,
    `[a]: ${SCRIPT}\n\n[a]`,
    `[a]: /b "\\"><script>"\n\n[a]`,
    '<img src=x onerror=alert(1)>',
    '<img src=x onerror=alert(1)',
    '<svg onload=alert(1)>',
    '<svg><script>alert(1)',
    '<!-- a --><script>',
    '<!--><img src=x onerror=alert(1)>-->',
    '<![CDATA[<script>]]>',
    '<?php alert(1) ?>',
    '<!DOCTYPE x [<!ENTITY a "b">]>',
    '<a href="javascript:alert(1)">x</a>',
    '<iframe srcdoc="<script>">',
    '<math><mtext><style><img src onerror=alert(1)>',
    '</p></div><script>',
    '<p style="color:red" id=a class=b>',
    '&lt;script&gt;alert(1)',
    '&#60;script&#62;',
    '\\<script>',
    'a<script/src=//evil>',
    '<scr\u0000ipt>',
    '<https://a.example/"onmouseover="alert(1)>',
    'https://a.example/"onmouseover="alert(1)',
    "https://a.example/'onmouseover='alert(1)",
    'www.a.example/<script>',
    'https://a.example/<script>alert(1)</script>',
    '[a](https://b.example"onclick=alert(1))',
    '<mailto:a@b.c?"onclick=alert(1)>',
    'a"onclick="b@c.example',
  ])('nothing runs in %j', (text) => {
    expectHarmless(markdownHtml(text))
  })

  test.each(
    [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'javascript&colon;alert(1)',
      'javascript&#58;alert(1)',
      '&#106;avascript:alert(1)',
      '&#x6A;avascript:alert(1)',
      '&#0000106avascript:alert(1)',
      'java\\script:alert(1)',
      'java&Tab;script:alert(1)',
      'java&NewLine;script:alert(1)',
      'java%0ascript:alert(1)',
      '&#1;javascript:alert(1)',
      '%20javascript:alert(1)',
      '\u00a0javascript:alert(1)',
      'javascript\\:alert(1)',
      'javascript://a.example/%0aalert(1)',
      'data:text/html,<script>',
      'data:text/html;base64,PHNjcmlwdD4=',
      'DATA:text/html,x',
      'vbscript:msgbox(1)',
      'file:///etc/passwd',
      'blob:a.example/x',
      'feed:javascript:alert(1)',
      'view-source:javascript:alert(1)',
      'ftp://a.example',
      'irc://a.example',
      'xmpp:a@b.example',
      'intent://a',
      'http:',
      'https://',
      'mailto:',
      'mailto:?subject=x',
      '//evil.example',
      '/&sol;evil.example',
      '&#47;/evil.example',
    ].flatMap((address) => [
      `[a](${address})`,
      `[a](<${address}>)`,
      `![a](${address})`,
      `<${address}>`,
      `[a]: ${address}\n\n[a]`,
      `[![b](${address})](${address})`,
    ]),
  )('the address %j leads nowhere', (text) => {
    const html = markdownHtml(text)
    expectHarmless(html)
    expect(html).not.toContain('<a ')
  })

  test('nothing runs in thousands of random texts', () => {
    const part = fc.oneof(
      fc.constantFrom(
        ...'* ** _ ~~ ` ``` [ ] ( ) ![ ]( < > "  \' & ; : | |- # - 1. \\ / \n \n\n > \t <a <img onerror= href=" src= --> <!-- javascript: JAVASCRIPT&colon; data: http:// https://a.example/ www. @b.example mailto: &lt; &#60; &quot; &#106; [a]: [a] ~~~ style=x |a|b|\n|-|-|\n'.split(
          ' ',
        ),
        ' ',
        '    ',
        SCRIPT,
        '\n\n[a]: javascript:x\n',
        '[x](javascript:y)',
        '![x](data:y)',
        '<javascript:z>',
      ),
      fc.string({ maxLength: 4, unit: 'binary' }),
    )
    const text = fc.array(part, { maxLength: 60 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, (markdown) => {
        const html = markdownHtml(markdown)
        expectHarmless(html)
        for (const { attributes } of tagsOf(html))
          expect(attributes).not.toMatch(/"\s*(?:javascript|data|vbscript):/i)
      }),
      { numRuns: 3_000 },
    )
  })
})

describe('a text that is built to cost much', () => {
  test.each([...HOSTILE_MARKDOWN, ['a million letters', fill('a ', 1_000_000)]])(
    'a costly text comes out harmless and bounded: %s',
    (_, text) => {
      const html = markdownHtml(text)
      expect(html.length).toBeLessThan(Math.max(200_000, text.length * 7))
      expectHarmless(html)
    },
  )

  test('a costly text becomes plain paragraphs', () => {
    const deep = '> '.repeat(200)
    expect(markdownHtml(`<a>\nb https://c.example\n\n${deep}d`)).toBe(
      `<p>&lt;a&gt;<br>b https://c.example</p>\n<p>${deep.replaceAll('>', '&gt;')}d</p>`,
    )
  })

  /** Each `0` becomes another word, so that a single one that is missing is seen. */
  const numbered = (text: string) => {
    let words = 0
    return text.replace(/0/g, () => `w${words++}w`)
  }
  const expectAllWords = (text: string) => {
    const html = markdownHtml(text)
    expectHarmless(html)
    expect(html.match(/w\d+w/g) ?? []).toEqual(text.match(/w\d+w/g) ?? [])
  }

  const depths = [1, 10, 20, 23, 24, 25, 26, 46, 47, 48, 49, 50, 51, 100, 300, 1_000]
  test.each(depths)('a costly text loses no word, %i deep', (depth) => {
    const steps = Array.from({ length: depth }, (_, n) => n)
    for (const text of [
      steps.map((n) => `${'>'.repeat(n + 1)} 0\n\n`).join(''),
      steps.map((n) => `${'  '.repeat(n)}- 0\n`).join(''),
      `${'- '.repeat(depth)}0\n\n0`,
      `${'1. '.repeat(depth)}0\n\n0`,
      `${'> - '.repeat(depth)}0\n0\n\n0`,
      `${'> - '.repeat(depth)}[0](/b) *0 **0** 0*`,
      `${'>'.repeat(depth)}|0|0|\n${'>'.repeat(depth)}|-|-|\n${'>'.repeat(depth)}|0|0|\n`,
      `${'*0 '.repeat(depth)}0${' 0*'.repeat(depth)} 0`,
      `${'~~0 *0 '.repeat(depth)}0${' 0*~~'.repeat(depth)} 0`,
      `${'['.repeat(depth)}0${'](/b) 0'.repeat(depth)}`,
      `${'['.repeat(depth)}0${']'.repeat(depth)}(/b) 0`,
      `${'![0 '.repeat(depth)}0${'](/b)'.repeat(depth)} 0`,
      `[a]: /b\n\n${'![0 '.repeat(depth)}0${'][a]'.repeat(depth)} 0`,
      `${'|0'.repeat(depth)}|\n${'|-'.repeat(depth)}|\n|0\n${'|0'.repeat(depth)}|\n0`,
    ])
      expectAllWords(numbered(text))
  })

  test('a costly text loses no word of random blocks', () => {
    const start = fc.constantFrom('>', '> ', '- ', '+ ', '12. ', '  ', '    ', '\t', '# ')
    const words = fc.constantFrom('0', '*0', '[0', '](/b)', '0|0', '-|-', '```', '')
    const line = fc
      .tuple(fc.array(start, { maxLength: 60 }), words)
      .map(([starts, end]) => starts.join('') + end)
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        expectAllWords(numbered(lines.join('\n')))
      }),
      { numRuns: 1_000 },
    )
  })

  test('a long honest post isn’t a costly text', () => {
    const part =
      '## Pay\n\nIt is **low**, see [this](https://a.example/b), and `so` on.\n\n- one\n- two *three*\n\n> quoted\n\n'
    expect(markdownHtml(fill(`${part}${'Many honest words follow. '.repeat(20)}\n\n`))).toContain(
      '<h4>',
    )
    const code = `\`\`\`\n${fill('a[i] = *b_c | d;\n', 15_000)}\n\`\`\`\n\nwhat *is* this?`
    expect(markdownHtml(code)).toContain('<em>is</em>')
    const wages = `|Year|Pay|\n|-|-|\n${fill('|**2026**|~~low~~|\n', 18_000)}`
    expect(markdownHtml(wages)).toContain('<td><del>low</del></td>')
    const marks = fill('Some *people* write __with__ `many` marks, see www.a.example. ', 19_000)
    expect(markdownHtml(marks).match(/<em>people<\/em>/g)?.length).toBeGreaterThan(300)
  })
})
