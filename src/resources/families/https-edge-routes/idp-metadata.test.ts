import { describe, expect, it } from 'vitest';
import { idpMetadata, ssoDescriptor } from '../../../../test/support/idp-metadata.js';
import { idpMetadataError } from './idp-metadata.js';

const BOMBS = '<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">';
const withDocumentType = (type: string) => idpMetadata().replace('?>\n', `?>\n${type}\n`);

describe('the metadata of an identity provider', () => {
  it.each([
    ['with a prefix', idpMetadata()],
    ['without a prefix', idpMetadata().replaceAll('md:', '').replace('xmlns:md', 'xmlns')],
    ['after a byte order mark', `\ufeff${idpMetadata()}`],
    ['between empty lines', `\n\n${idpMetadata()}\n`],
    ['with references to characters', idpMetadata({ inside: `<a b="&#x1F512;">&#9;&#65;</a>${ssoDescriptor()}` })],
    ['with a comment that names one', idpMetadata({ inside: `<!-- &#1; --><![CDATA[&#1;]]>${ssoDescriptor()}` })],
    ['with other roles beside it', idpMetadata({ inside: `<md:SPSSODescriptor/>${ssoDescriptor()}` })],
  ])('is accepted %s', (_, xml) => {
    expect(idpMetadataError(xml)).toBeNull();
  });

  it.each([
    ['', 'well-formed'],
    ['not XML', 'well-formed'],
    ['{"entityID": "x"}', 'well-formed'],
    [idpMetadata().slice(0, -3), 'well-formed'],
    [`${idpMetadata()}<another/>`, 'well-formed'],
    [idpMetadata({ inside: '<a b="1" b="2"/>' }), 'well-formed'],
    [idpMetadata({ inside: '<other:a/>' }), 'well-formed'],
    [idpMetadata({ inside: '&unknown;' }), 'well-formed'],
    ...['\u0001', '\ufffe', '&#1;', '&#x1F;', '&#xFFFF;', '&#xd800;', '&#x110000;'].map((character) => [
      idpMetadata({ inside: `<a>${character}</a>${ssoDescriptor()}` }),
      'well-formed',
    ]),
    [idpMetadata({ entityId: 'https://idp.example.com/\u0001' }), 'well-formed'],
    [idpMetadata({ root: 'EntitiesDescriptor' }), 'EntityDescriptor'],
    [idpMetadata().replace('SAML:2.0:metadata', 'SAML:9.9:metadata'), 'EntityDescriptor'],
    [idpMetadata({ entityId: '' }), 'entityID'],
    [idpMetadata({ inside: '' }), 'IDPSSODescriptor'],
    [idpMetadata({ inside: '<IDPSSODescriptor/>' }), 'IDPSSODescriptor'],
    [idpMetadata({ inside: `<md:Extensions>${ssoDescriptor()}</md:Extensions>` }), 'IDPSSODescriptor'],
    [idpMetadata({ inside: ssoDescriptor().replace('SAML:2.0', 'SAML:1.1') }), 'IDPSSODescriptor'],
    [idpMetadata({ inside: ssoDescriptor('') }), 'SingleSignOnService'],
    [idpMetadata({ inside: ssoDescriptor('<md:SingleSignOnService/>') }), 'Location'],
    [idpMetadata({ inside: ssoDescriptor('<md:SingleSignOnService Location="javascript:alert(1)"/>') }), 'Location'],
  ])('is refused with a detail (%#)', (xml, words) => {
    expect(idpMetadataError(xml)).toContain(words);
  });

  it.each([
    '<!DOCTYPE md:EntityDescriptor>',
    '<!DOCTYPE x SYSTEM "file:///etc/passwd">',
    '<!DOCTYPE x [<!ENTITY e SYSTEM "https://evil.example.com/">]>',
    `<!DOCTYPE x [${BOMBS}]>`,
    '<!doctype x>',
  ])('must not have a document type: %s', (type) => {
    expect(idpMetadataError(withDocumentType(type))).toContain('document type');
  });

  it('is limited in length, counted as JSON text', () => {
    const padded = (filler: string) => idpMetadata({ inside: `<!--${filler}-->${ssoDescriptor()}` });
    const room = 32_768 + 2 - JSON.stringify(padded('')).length;
    expect(idpMetadataError(padded('a'.repeat(room)))).toBeNull();
    expect(idpMetadataError(padded('a'.repeat(room + 1)))).toContain('must not be longer');
    expect(idpMetadataError(padded('"'.repeat(room / 2 + 1)))).toContain('must not be longer');
    expect(idpMetadataError(padded('é'.repeat(room / 2 + 1)))).toContain('must not be longer');
  });

  it('is checked however deep it is nested', () => {
    const deep = idpMetadata({ inside: `${'<a>'.repeat(4500)}${'</a>'.repeat(4500)}` });
    expect(idpMetadataError(deep)).toContain('IDPSSODescriptor');
  });
});
