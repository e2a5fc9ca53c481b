import { useState } from 'preact/hooks';
import { ConsoleStartTaxFilingDocument, type TransmitterInput } from '../../generated/graphql.js';
import { CommandDialog } from '../../ui/command-dialog.js';
import { useForm, type Values } from '../../ui/form.js';
import { FileField } from '../imports/file-field.js';

interface FileReturnsProps {
  readonly taxYear: number;
  readonly onClose: () => void;
}

const isXml = ({ way }: Values): boolean => way === 'XML';

/** The fields of the sender of XML, as the IRS knows it. */
const TRANSMITTER = {
  'transmitter/name': { label: 'Name of the transmitter', maxLength: 75, isShown: isXml },
  'transmitter/tcc': { label: 'Transmitter Control Code', hint: 'Such as ABC12.', maxLength: 5, isShown: isXml },
  'transmitter/softwareId': { label: 'Software id', maxLength: 10, isShown: isXml },
  'transmitter/taxId': { label: 'Employer identification number', maxLength: 10, isShown: isXml },
  'transmitter/address/line1': { label: 'Street', maxLength: 35, isShown: isXml },
  'transmitter/address/city': { label: 'City', maxLength: 40, isShown: isXml },
  'transmitter/address/state': { label: 'State', hint: 'Two letters, such as OR.', maxLength: 2, isShown: isXml },
  'transmitter/address/postalCode': { label: 'ZIP code', maxLength: 10, isShown: isXml },
  'transmitter/contact/name': { label: 'Person to ask', maxLength: 35, isShown: isXml },
  'transmitter/contact/email': { label: 'E-mail address', type: 'email', isShown: isXml },
  'transmitter/contact/telephone': { label: 'Telephone', type: 'tel', maxLength: 20, isShown: isXml },
} as const;

const FIELDS = {
  way: {
    label: 'How the returns get to the IRS',
    options: [
      ['CSV', 'CSV, which somebody uploads in the IRIS Taxpayer Portal'],
      ['XML', 'XML, from system to system (IRIS A2A)'],
    ],
  },
  isTest: { check: 'For the test system of the IRS' },
  ...TRANSMITTER,
} as const;

/** Files the returns of a tax year: what was not filed before, and corrections of what was. */
export function FileReturns({ taxYear, onClose }: FileReturnsProps) {
  const [file, setFile] = useState<File | null>(null);
  const [template, setTemplate] = useState('');
  const form = useForm(FIELDS, { isStacked: true });
  const hasTemplate = form.values.way === 'CSV';
  return (
    <CommandDialog
      title={`File the returns of ${taxYear}`}
      verb="File the returns"
      operation={ConsoleStartTaxFilingDocument}
      form={form}
      variables={() => {
        const { isTest, transmitter } = form.input();
        const by = hasTemplate ? { template } : { transmitter: transmitter satisfies TransmitterInput };
        return { input: { taxYear, isTest, ...by } };
      }}
      done={() => 'The files are being written. They can be downloaded from the filing.'}
      onClose={onClose}
      below={
        hasTemplate && (
          <FileField
            label="Template of the portal"
            accept=".csv,text/csv"
            hint="Sign in at irs.gov/iris, choose Form 1099-INT, and download the template of the year."
            file={file}
            onFile={chosen => {
              setFile(chosen);
              setTemplate('');
              void chosen?.text().then(setTemplate);
            }}
          />
        )
      }
    >
      <p class="soft">
        Files what was not filed before, and corrections of what the IRS accepted; where it rejected files, what
        replaces them. Filings that nobody has sent are replaced.
      </p>
    </CommandDialog>
  );
}
