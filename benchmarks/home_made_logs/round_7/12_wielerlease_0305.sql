-- MySQL dump 10.13  Distrib 8.0.41, for Linux (x86_64)
--
-- Host: localhost    Database: wielerlease_chat
-- ------------------------------------------------------
-- Server version	8.0.41

/*!40101 SET NAMES utf8mb4 */;

DROP TABLE IF EXISTS `gesprekken`;
CREATE TABLE `gesprekken` (
  `id` int NOT NULL AUTO_INCREMENT,
  `klant_id` int DEFAULT NULL,
  `kanaal` varchar(20) DEFAULT NULL,
  `gestart_op` datetime NOT NULL,
  `cijfer` tinyint DEFAULT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

LOCK TABLES `gesprekken` WRITE;
INSERT INTO `gesprekken` VALUES (1207,7538,'app','2026-03-04 08:33:01',NULL),(1208,9223,'app','2026-03-04 09:38:47',6),(1209,7128,'portaal','2026-03-04 10:51:01',NULL),(1210,6287,'app','2026-03-04 11:47:38',6),(1211,5264,'portaal','2026-03-04 12:33:52',9),(1212,6904,'app','2026-03-04 13:45:07',8),(1213,7289,'portaal','2026-03-04 14:41:01',9),(1214,8996,'portaal','2026-03-04 15:34:00',8),(1215,5495,'app','2026-03-04 16:11:12',6),(1216,8857,'app','2026-03-04 16:48:55',9),(1217,5298,'app','2026-03-04 18:05:38',NULL);
UNLOCK TABLES;

DROP TABLE IF EXISTS `berichten`;
CREATE TABLE `berichten` (
  `id` int NOT NULL AUTO_INCREMENT,
  `gesprek_id` int NOT NULL,
  `afzender` enum('gebruiker','assistent','medewerker') NOT NULL,
  `tekst` text,
  `duur_ms` int DEFAULT NULL,
  `verstuurd_op` datetime NOT NULL,
  PRIMARY KEY (`id`),
  KEY `gesprek_id` (`gesprek_id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

LOCK TABLES `berichten` WRITE;
INSERT INTO `berichten` VALUES (30418,1207,'gebruiker','Hoi, mijn leasefiets is gestolen',NULL,'2026-03-04 08:33:01'),(30419,1207,'assistent','Wat vervelend! Heb je al aangifte gedaan bij de politie?',2383,'2026-03-04 08:33:02'),(30420,1207,'gebruiker','ja net gedaan, nummer PL0600-2026118',NULL,'2026-03-04 08:33:30'),(30421,1207,'assistent','Dank je. Stuur ons ook beide sleutels op. Na ontvangst krijg je binnen 5 werkdagen een vervangende fiets.',1552,'2026-03-04 08:33:32'),(30422,1207,'gebruiker','en wat betaal ik dan',NULL,'2026-03-04 08:34:16'),(30423,1207,'assistent','Het eigen risico is € 75,-. Verder verandert er niets aan je maandbedrag.',614,'2026-03-04 08:34:19'),(30424,1208,'gebruiker','kan ik mijn contract eerder stoppen',NULL,'2026-03-04 09:38:47'),(30425,1208,'assistent','Dat kan na 12 maanden. Jouw contract loopt sinds 1 juni 2025, dus vanaf 1 juni 2026.',1949,'2026-03-04 09:38:50'),(30426,1208,'gebruiker','ok',NULL,'2026-03-04 09:39:48'),(30427,1209,'gebruiker','Wanneer is de volgende onderhoudsbeurt?',NULL,'2026-03-04 10:51:01'),(30428,1209,'assistent','Je onderhoudsbeurt is na 2.000 km of uiterlijk in april. Wil je een afspraak maken bij \'De Ketting\' in Zwolle?',2589,'2026-03-04 10:51:03'),(30429,1209,'gebruiker','Nee, liever bij mij in Kampen',NULL,'2026-03-04 10:51:56'),(30430,1209,'assistent','In Kampen werken we samen met Rijwielhuis Van \'t Hof. Daar is dinsdag om 9.00 uur plek.',2316,'2026-03-04 10:51:59'),(30431,1209,'gebruiker','prima, doe maar',NULL,'2026-03-04 10:53:02'),(30432,1210,'gebruiker','Accu laadt niet meer op, lampje knippert 3x rood',NULL,'2026-03-04 11:47:38'),(30433,1210,'assistent','Drie keer rood betekent dat de accu te koud is. Haal hem binnen en probeer het na een uur opnieuw.',1693,'2026-03-04 11:47:40'),(30434,1210,'gebruiker','hij staat al binnen',NULL,'2026-03-04 11:48:22'),(30435,1210,'assistent','Dan moet de accu nagekeken worden. Ik heb een reparatie aangemaakt: REP-8834. Je krijgt morgen een leenaccu.',2235,'2026-03-04 11:48:26'),(30436,1210,'gebruiker','Top service',NULL,'2026-03-04 11:49:15'),(30437,1211,'gebruiker','Mag mijn vrouw ook op de fiets?',NULL,'2026-03-04 12:33:52'),(30438,1211,'assistent','Ja hoor, huisgenoten mogen de fiets gebruiken. De verzekering geldt ook voor hen.',2319,'2026-03-04 12:33:56'),(30439,1212,'gebruiker','medewerker aub',NULL,'2026-03-04 13:45:07'),(30440,1212,'assistent','Ik verbind je door. Dit kan een paar minuten duren.',1513,'2026-03-04 13:45:09'),(30441,1212,'medewerker','Goedemiddag, met Joris. Waarmee kan ik je helpen?',NULL,'2026-03-04 13:45:39'),(30442,1212,'gebruiker','mijn werkgever heeft de aanvraag afgekeurd, waarom?',NULL,'2026-03-04 13:46:00'),(30443,1212,'medewerker','Ik zie dat het maximumbedrag € 3.000,- is en jouw fiets € 3.249,- kost. Je mag het verschil zelf bijbetalen.',NULL,'2026-03-04 13:46:04'),(30444,1212,'gebruiker','ah dat wist ik niet',NULL,'2026-03-04 13:47:01'),(30445,1213,'gebruiker','hoe zit het met de bijtelling',NULL,'2026-03-04 14:41:01'),(30446,1213,'assistent','Voor een fiets van de zaak is de bijtelling 7% van de adviesprijs per jaar. Bij een fiets van € 2.500,- is dat € 175,- per jaar die bij je inkomen wordt opgeteld.',948,'2026-03-04 14:41:04'),(30447,1213,'gebruiker','dus netto?',NULL,'2026-03-04 14:42:22'),(30448,1213,'assistent','Afhankelijk van je belastingschijf ongeveer € 5 tot € 7 per maand.',1967,'2026-03-04 14:42:26'),(30449,1214,'gebruiker','Lekke band in Meppel!!',NULL,'2026-03-04 15:34:00'),(30450,1214,'assistent','Blijf op een veilige plek. De pechhulp is onderweg en er over ongeveer 40 minuten. Je kunt het volgen via de link in de sms.',1232,'2026-03-04 15:34:02'),(30451,1214,'gebruiker','duurt lang maar ok',NULL,'2026-03-04 15:34:53'),(30452,1214,'assistent','Sorry voor het wachten.',922,'2026-03-04 15:34:58'),(30453,1215,'gebruiker','Ik wil graag een kinderzitje erop',NULL,'2026-03-04 16:11:12'),(30454,1215,'assistent','Een kinderzitje mag, als het gewicht onder de 25 kg blijft. Het zitje zit niet in de lease; je koopt het zelf.',1460,'2026-03-04 16:11:15'),(30455,1215,'gebruiker','welk merk past op de Veluwe N8',NULL,'2026-03-04 16:11:52'),(30456,1215,'assistent','Op de Veluwe N8 passen Bobike en Thule.',935,'2026-03-04 16:11:56'),(30457,1216,'gebruiker','test',NULL,'2026-03-04 16:48:55'),(30458,1216,'assistent','Hallo! Ik ben Spaak, de assistent van Wielerlease. Waar kan ik je mee helpen?',1570,'2026-03-04 16:48:59'),(30459,1217,'gebruiker','Factuur van februari klopt niet, ik zie 2x verzekering',NULL,'2026-03-04 18:05:38'),(30460,1217,'assistent','Je hebt gelijk, de verzekering van € 9,95 staat er dubbel op. Je krijgt een creditnota en het bedrag wordt in maart verrekend.',2485,'2026-03-04 18:05:42'),(30461,1217,'gebruiker','Fijn, dank!',NULL,'2026-03-04 18:06:32'),(30462,1217,'assistent','Graag gedaan!',1306,'2026-03-04 18:06:35');
UNLOCK TABLES;

-- Dump completed on 2026-03-05  2:00:04
