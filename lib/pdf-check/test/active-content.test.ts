import { describe, expect, test } from '@jest/globals';
import { checkPdf } from '../pdf-check.js';
import { FORMS, pdf, ROOT, type Sample, unfinished } from './samples.js';

const SCRIPT = '<< /S /JavaScript /JS (app.alert\\(1\\)) >>';
const FILE_SPEC = '<< /Type /Filespec /F (a.exe) /EF << /F 11 0 R >> >>';
const annotation = (entries: string): Sample => ({ page: `/Annots [<< /Type /Annot /Rect [0 0 9 9] ${entries} >>]` });

const ACTIVE: Record<string, [code: string, sample: Sample]> = {
  'JavaScript when the document opens': ['javascript', { catalog: `/OpenAction ${SCRIPT}` }],
  'JavaScript behind a reference': ['javascript', { catalog: '/OpenAction 10 0 R', objects: { 10: SCRIPT } }],
  'JavaScript by an escaped name': ['javascript', { catalog: '/OpenAction << /#53 /J#61vaScript /JS 10 0 R >>' }],
  'JavaScript whose kind is a reference': [
    'javascript',
    { catalog: '/OpenAction << /S 10 0 R /JS 11 0 R >>', objects: { 10: '/JavaScript', 11: '(x)' } },
  ],
  'JavaScript in the tree of names': ['javascript', { catalog: `/Names << /JavaScript << /Names [(a) 10 0 R] >> >>` }],
  'JavaScript of a page': ['javascript', { page: `/AA << /O ${SCRIPT} >>` }],
  'JavaScript of a field': ['javascript', annotation(`/Subtype /Widget /FT /Tx /T (a) /AA << /K ${SCRIPT} >>`)],
  'JavaScript of an annotation': ['javascript', annotation(`/Subtype /Link /A ${SCRIPT}`)],
  'JavaScript after a harmless action': [
    'javascript',
    { catalog: `/OpenAction << /S /GoTo /D [3 0 R /Fit] /Next ${SCRIPT} >>` },
  ],
  'JavaScript that nothing refers to': ['javascript', { objects: { 10: SCRIPT } }],
  'a link to JavaScript': ['unsafe_link', annotation('/Subtype /Link /A << /S /URI /URI (javascript:alert\\(1\\)) >>')],
  'a link with a scheme in pieces': [
    'unsafe_link',
    annotation('/Subtype /Link /A << /S /URI /URI (java\\nscript:x) >>'),
  ],
  'a link with an escaped scheme': [
    'unsafe_link',
    annotation('/Subtype /Link /A << /S /URI /URI (\\152avascript:x) >>'),
  ],
  'a link in hexadecimal': ['unsafe_link', annotation('/Subtype /Link /A << /S /URI /URI <66696c653a2f2f2f> >>')],
  'a link behind a reference': [
    'unsafe_link',
    { ...annotation('/Subtype /Link /A << /S /URI /URI 10 0 R >>'), objects: { 10: '(file:///etc/passwd)' } },
  ],
  'a link to a share of Windows': [
    'unsafe_link',
    annotation('/Subtype /Link /A << /S /URI /URI (\\\\\\\\host\\\\x) >>'),
  ],
  'a program to launch': ['launch', annotation('/Subtype /Link /A << /S /Launch /F (cmd.exe) >>')],
  'a jump to another file': ['launch', annotation('/Subtype /Link /A << /S /GoToR /F (x.pdf) /D [0 /Fit] >>')],
  'a jump into an embedded file': ['embedded_files', annotation('/Subtype /Link /A << /S /GoToE /D (a) >>')],
  'an embedded file by name': [
    'embedded_files',
    { catalog: `/Names << /EmbeddedFiles << /Names [(a) ${FILE_SPEC}] >> >>` },
  ],
  'an associated file': ['embedded_files', { catalog: `/AF [10 0 R]`, objects: { 10: FILE_SPEC } }],
  'an embedded file behind references': [
    'embedded_files',
    { catalog: `/AF [10 0 R]`, objects: { 10: '<< /F (a) /EF 12 0 R >>', 12: '<< /UF 11 0 R >>' } },
  ],
  'an attached file': ['embedded_files', annotation(`/Subtype /FileAttachment /FS 10 0 R`)],
  'an XFA form': ['xfa', { catalog: '/AcroForm << /Fields [] /XFA 10 0 R >>' }],
  'a form that is sent': ['form_submission', annotation('/Subtype /Widget /A << /S /SubmitForm /F (https://a.b/) >>')],
  'a form that is filled from a file': [
    'form_submission',
    annotation('/Subtype /Widget /A << /S /ImportData /F (a.fdf) >>'),
  ],
  'rich media': ['rich_media', annotation('/Subtype /RichMedia /RichMediaContent 10 0 R')],
  'a 3D view': ['rich_media', annotation('/Subtype /3D /3DD 10 0 R')],
  'a film': ['rich_media', annotation('/Subtype /Movie /Movie << /F (a.mov) >>')],
  'a sound': ['rich_media', annotation('/Subtype /Sound /Sound 10 0 R')],
  'a screen': ['rich_media', annotation('/Subtype /Screen /A << /S /Rendition /OP 0 >>')],
  'a page on the web that opens with it': [
    'automatic_action',
    { catalog: '/OpenAction << /S /URI /URI (https://a.b/) >>' },
  ],
  'a page on the web that opens with it, by reference': [
    'automatic_action',
    { catalog: '/OpenAction 10 0 R', objects: { 10: '<< /S /URI /URI (https://a.b/) >>' } },
  ],
  'a page on the web that opens with a page': [
    'automatic_action',
    { page: '/AA 10 0 R', objects: { 10: '<< /O << /S /URI /URI (https://a.b/) >> >>' } },
  ],
};

describe.each(Object.entries(FORMS))('in %s', (_form, written) => {
  test.each(Object.entries(ACTIVE))('%s is refused', (_name, [code, sample]) => {
    expect(checkPdf(written(sample))?.code).toBe(code);
  });
});

test.each([
  ['content', '/F (page.bin)'],
  ['a form XObject', '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Ref << /F (other.pdf) /Page 0 >>'],
])('%s that is in another file is refused', (_name, entries) => {
  expect(checkPdf(unfinished().stream(20, entries, '').table(ROOT).bytes)?.code).toBe('external_content');
});

test('of several reasons the same one is said, wherever they are', () => {
  const [script, launch] = ['<< /S /JavaScript /JS (x) >>', '<< /S /Launch /F (x) >>'];
  expect(checkPdf(pdf({ objects: { 10: script, 11: launch } }))?.code).toBe('javascript');
  expect(checkPdf(pdf({ objects: { 10: launch, 11: script } }))?.code).toBe('javascript');
});

const HARMLESS: Record<string, Sample> = {
  'nothing else': {},
  'a link to a web page': annotation('/Subtype /Link /A << /S /URI /URI (https://example.com/a:b?javascript:x) >>'),
  'a link to a mail address': annotation('/Subtype /Link /A << /Type /Action /S /URI /URI (MAILTO:a@b.c) >>'),
  'a link to a place of the same site': annotation('/Subtype /Link /A << /S /URI /URI (terms.html#a:b) >>'),
  'a link to a page': annotation('/Subtype /Link /Dest [3 0 R /Fit]'),
  'a page to begin with': { catalog: '/OpenAction [3 0 R /Fit]' },
  'an action that shows a page': { catalog: '/OpenAction 10 0 R', objects: { 10: '<< /S /GoTo /D [3 0 R /Fit] >>' } },
  'a form with a field': {
    catalog: '/AcroForm << /Fields [10 0 R] >>',
    objects: { 10: '<< /FT /Tx /T (JavaScript) /V (/JS) /Subtype /Widget /AA << >> >>' },
  },
  'an outline': {
    catalog: '/Outlines 10 0 R',
    objects: {
      10: '<< /Type /Outlines /First 11 0 R /Last 11 0 R /Count 1 >>',
      11: '<< /Title (Launch) /Parent 10 0 R /Dest [3 0 R /Fit] >>',
    },
  },
  'a blend mode that is called Screen': { page: '/Resources << /ExtGState << /EF << /BM /Screen >> >> >>' },
  'a glyph that is called AA': {
    objects: { 10: '<< /Type /Font /Subtype /Type3 /CharProcs << /AA 4 0 R /JS 4 0 R >> >>' },
  },
  'a colour that is called JavaScript': { objects: { 10: '[/Separation /JavaScript /DeviceCMYK 11 0 R]' } },
  'entries that are null': { catalog: '/OpenAction null /AA null /Names << /JavaScript null /EmbeddedFiles null >>' },
  'unusual but regular syntax': {
    objects: {
      10: '[<</A#42(a\\)\\(()b\\\n)/B<4 1>/C/>>+1 -.5 4. null true%comment /S /JavaScript\n(\\777\\0)1 0 R 1 0]',
    },
  },
};

describe.each(Object.entries(FORMS))('in %s', (_form, written) => {
  test.each(Object.entries(HARMLESS))('%s is taken', (_name, sample) => {
    expect(checkPdf(written(sample))).toBeNull();
  });
});
